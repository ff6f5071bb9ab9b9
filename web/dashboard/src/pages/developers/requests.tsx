import { Link, useNavigate } from '@tanstack/react-router';
import { SearchX, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Rows } from '../../ui/list/rows.tsx';
import { tookText } from './durations.ts';
import { type LoggedRequest, useRequests } from './queries.ts';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestFilters } from './request-filters.tsx';
import type { DevelopersSearch } from './search.ts';
import { curl } from './snippets/curl.ts';
import { useSnippetContext } from './snippets/use-snippet-context.ts';
import { StatusCode } from './status-code.tsx';

const columns: Column<LoggedRequest>[] = [
  { key: 'status', head: t('Status'), cell: ({ status }) => <StatusCode status={status} /> },
  {
    key: 'request',
    head: t('Request'),
    grow: true,
    className: 'min-w-40',
    cell: ({ id, method, path, at }) => (
      <Link
        to="."
        search={changeSearch({ open: id })}
        resetScroll={false}
        className="row-link font-mono"
        title={path}
      >
        <span className="text-quiet">{method}</span> {path}
        <span className="block font-sans text-quiet sm:hidden">
          <Time at={at} still />
        </span>
      </Link>
    ),
  },
  {
    key: 'error',
    head: t('Error'),
    from: 'lg',
    cell: ({ error }) =>
      error === null ? <span className="text-quiet">–</span> : <span className="font-mono">{error}</span>,
  },
  {
    key: 'key',
    head: t('Key'),
    from: 'xl',
    cell: ({ key }) => <span className="font-mono whitespace-nowrap">…{key.hint ?? '????'}</span>,
  },
  {
    key: 'took',
    head: t('Took'),
    align: 'end',
    from: 'sm',
    cell: ({ duration_ms: ms }) => <span className="whitespace-nowrap">{tookText(ms)}</span>,
  },
  { key: 'at', head: t('When'), align: 'end', from: 'sm', cell: ({ at }) => <Time at={at} /> },
];

/** The API requests of the integration's keys in the last 30 days. */
export function Requests({ search }: { search: DevelopersSearch }): ReactNode {
  const requests = useRequests(search);
  const navigate = useNavigate();
  const close = () =>
    void navigate({ to: '.', search: changeSearch({ open: undefined }), resetScroll: false });
  return (
    <>
      <RequestFilters search={search} />
      {requests.data !== undefined && requests.data.dropped > 0 && (
        <Banner
          tone="waiting"
          title={t('{dropped} requests are missing from this log', { dropped: requests.data.dropped })}
        >
          {t('They were answered, but arrived faster than the log could store them.')}
        </Banner>
      )}
      <Loaded query={requests} rows={8}>
        {(page) =>
          page.items.length > 0 ? (
            <Rows
              page={page}
              caption={t('API requests')}
              columns={columns}
              rowKey={({ id }) => id}
              stale={requests.isPlaceholderData}
            />
          ) : (
            <NoRequests search={search} next={page.next_cursor} />
          )
        }
      </Loaded>
      {search.open !== undefined && <RequestDrawer id={search.open} onClose={close} />}
    </>
  );
}

function NoRequests({ search, next }: { search: DevelopersSearch; next: string | null }): ReactNode {
  const context = useSnippetContext();
  const { status, method, key, q, from, to, cursor } = search;
  if (!(status ?? method ?? key ?? q ?? from ?? to ?? cursor)) {
    return (
      <EmptyState icon={SquareTerminal} title={t('No request yet')} code={curl.create(context)}>
        {t(
          'Every call that your server makes with a key is kept here for 30 days, without its secrets. Make the first one:',
        )}
      </EmptyState>
    );
  }
  const olderLink = next !== null && (
    <Link to="." search={changeSearch({ cursor: next })} className={buttonClass()}>
      {t('Search older requests')}
    </Link>
  );
  return (
    <EmptyState
      icon={SearchX}
      title={next === null ? t('No request matches') : t('None of the newest 20,000 requests matches')}
      action={
        <>
          {olderLink}
          <Link to="." search={{}} className={buttonClass()}>
            {t('Clear the filters')}
          </Link>
        </>
      }
    >
      {t('Requests are kept for 30 days.')}
    </EmptyState>
  );
}
