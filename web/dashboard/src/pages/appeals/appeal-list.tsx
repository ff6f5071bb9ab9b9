import { Link, useNavigate } from '@tanstack/react-router';
import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Money } from '../../ui/display/money.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Select } from '../../ui/form/select.tsx';
import { List } from '../../ui/list/list.tsx';
import { AppealDrawer } from './appeal-drawer.tsx';
import { type AppealSummary, useAppeals } from './queries.ts';
import { type AppealsSearch, appealReasons } from './search.ts';
import type { Side } from './side.ts';
import { authorName, decisionWords, reasonWords } from './words.ts';

type AppealListProps = { side: Side; search: AppealsSearch; emptyCode?: string };

/** Appeals with their filters, and the open one's detail beside them. */
export function AppealList({ side, search, emptyCode }: AppealListProps): ReactNode {
  const appeals = useAppeals(side.base, search);
  const navigate = useNavigate();
  const filter = (change: object) =>
    void navigate({
      to: '.',
      search: { ...search, cursor: undefined, open: undefined, ...change } as object,
    });

  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Select
          label={t('Status')}
          className="min-w-32"
          value={search.status ?? 'open'}
          choices={[
            { value: 'open', label: t('Open') },
            { value: 'closed', label: t('Closed') },
          ]}
          onChange={(event) => filter({ status: event.target.value === 'closed' ? 'closed' : undefined })}
        />
        <Select
          label={t('Reason')}
          className="min-w-44"
          value={search.reason ?? ''}
          choices={[
            { value: '', label: t('All') },
            ...appealReasons.map((value) => ({ value, label: reasonWords[value] })),
          ]}
          onChange={(event) => filter({ reason: event.target.value || undefined })}
        />
      </div>
      <List
        list={appeals}
        caption={t('Appeals')}
        columns={columnsOf(side, search)}
        rowKey={({ id }) => id}
        empty={<NoAppeals search={search} code={emptyCode} />}
      />
      <AppealDrawer
        side={side}
        id={search.open}
        onClose={() => void navigate({ to: '.', search: { ...search, open: undefined } as object })}
      />
    </>
  );
}

function NoAppeals({ search, code }: { search: AppealsSearch; code: string | undefined }): ReactNode {
  if (search.status === 'closed' || search.reason) {
    return (
      <EmptyState
        icon={Scale}
        title={t('No appeal matches')}
        action={
          <Link to="." search={{} as object} className="font-semibold text-accent-strong hover:underline">
            {t('Show all open appeals')}
          </Link>
        }
      />
    );
  }
  return (
    <EmptyState icon={Scale} title={t('No appeal is open')} {...(code && { code })}>
      {t(
        'A payment opens an appeal when it is part paid, paid late or affected by a reorg, or when the customer disputes it. No money moves until somebody decides.',
      )}
      {code && ` ${t('With this command a test payment is disputed:')}`}
    </EmptyState>
  );
}

function columnsOf(side: Side, search: AppealsSearch): Column<AppealSummary>[] {
  const isClosed = search.status === 'closed';
  return [
    {
      key: 'payment',
      head: t('Payment'),
      cell: ({ id, payment_reference, amount_received, currency }) => (
        <>
          <Link
            to="."
            search={{ ...search, open: id } as object}
            className="row-link block max-w-28 truncate font-mono sm:max-w-40 xl:max-w-48"
          >
            {payment_reference}
          </Link>
          <span className="text-quiet sm:hidden">
            <Money amount={amount_received} currency={currency} />
          </span>
        </>
      ),
    },
    ...(side.as === 'operator'
      ? [{ key: 'integration', head: t('Integration'), cell: integrationCell, from: 'md' } as const]
      : []),
    {
      key: 'reason',
      head: isClosed ? t('Decision') : t('Reason'),
      cell: ({ reason, decision, opened_at, closed_at }) => (
        <>
          {decision ? (
            <Badge tone={decision === 'accepted' || decision === 'dispute_rejected' ? 'paid' : 'quiet'}>
              {decisionWords[decision]}
            </Badge>
          ) : (
            <Badge tone="waiting">{reasonWords[reason]}</Badge>
          )}
          <span className="block text-quiet sm:hidden">
            <Time at={isClosed ? closed_at : opened_at} />
          </span>
        </>
      ),
    },
    {
      key: 'received',
      head: t('Received'),
      align: 'end',
      from: 'sm',
      amounts: ({ amount_received }) => [amount_received],
      cell: ({ amount_received, currency }) => <Money amount={amount_received} currency={currency} />,
    },
    {
      key: 'due',
      head: t('Due'),
      align: 'end',
      from: 'sm',
      amounts: ({ amount_due }) => [amount_due],
      cell: ({ amount_due, currency }) => <Money amount={amount_due} currency={currency} />,
    },
    ...(side.as === 'merchant'
      ? [{ key: 'last', head: t('Last message'), grow: true, from: 'lg', cell: lastMessageCell } as const]
      : []),
    {
      key: 'opened',
      head: isClosed ? t('Closed') : t('Opened'),
      align: 'end',
      from: 'sm',
      cell: ({ opened_at, closed_at }) => <Time at={isClosed ? closed_at : opened_at} />,
    },
  ];
}

function integrationCell({ integration, mode }: AppealSummary): ReactNode {
  return (
    <span className="inline-flex items-center gap-2">
      <span className="max-w-40 truncate">{integration.name}</span>
      {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
    </span>
  );
}

function lastMessageCell({ last_message }: AppealSummary): ReactNode {
  if (!last_message) return <span className="text-quiet">–</span>;
  return (
    <>
      <span className="text-quiet">{authorName(last_message)}:</span> {last_message.text}
    </>
  );
}
