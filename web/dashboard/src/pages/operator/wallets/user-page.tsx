import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { DefinitionList } from '../../../ui/display/definition-list.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { amountColumn } from '../../../ui/list/amount-column.tsx';
import { List } from '../../../ui/list/list.tsx';
import { LineCause } from '../../balances/line-cause.tsx';
import { OperatorTabs } from '../operator-tabs.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { ActDialog } from './act-dialog.tsx';
import {
  type BalanceLine,
  type UserAct,
  type UserWithdrawal,
  useUser,
  useUserLines,
  useUserWithdrawals,
  type WalletUserDetail,
} from './queries.ts';
import { FrozenBadge } from './users-page.tsx';

/** One user: what they have, did and are signed in with, and freezing their wallet. */
export function UserPage(): ReactNode {
  const { user: id = '' } = useParams({ strict: false });
  const user = useUser(id);
  const [act, setAct] = useState<UserAct>();
  const { data } = user;
  return (
    <>
      <PageHeader
        title={data?.username ?? t('User')}
        back={
          <Link to="/operator/users" className="hover:text-ink hover:underline">
            {t('Users')}
          </Link>
        }
        aside={data?.frozen_at && <FrozenBadge />}
        actions={
          data && (
            <>
              {data.has_provider && (
                <Button onClick={() => setAct('ask-level')}>{t('Ask for the level')}</Button>
              )}
              <Button onClick={() => setAct('level')}>{t('Change the level')}</Button>
              {data.frozen_at === null ? (
                <Button variant="danger" onClick={() => setAct('freeze')}>
                  {t('Freeze')}
                </Button>
              ) : (
                <Button onClick={() => setAct('unfreeze')}>{t('Unfreeze')}</Button>
              )}
            </>
          )
        }
      />
      <Loaded query={user}>{(found) => <Detail user={found} onEnd={() => setAct('end-sessions')} />}</Loaded>
      {data && act && <ActDialog act={act} user={data} onClose={() => setAct(undefined)} />}
    </>
  );
}

function Detail({ user, onEnd }: { user: WalletUserDetail; onEnd: () => void }): ReactNode {
  const { id, level, frozen_at, frozen_why, has_second_factor, created_at, balances, sessions } = user;
  return (
    <>
      {frozen_at !== null && (
        <Banner tone="lost" title={t('Nothing leaves this wallet')}>
          {rich('Frozen {time}: {frozen_why}', { time: <Time at={frozen_at} />, frozen_why })}
        </Banner>
      )}
      <DefinitionList
        facts={[
          [t('Level'), `${level}`],
          [t('Second factor'), has_second_factor ? t('Yes') : t('No')],
          [t('Since'), <Time key="since" at={created_at} exact />],
        ]}
      />
      <Section title={t('Balances')}>
        {balances.length === 0 ? (
          <p className="text-sm text-quiet">{t('Nothing has come to this wallet yet.')}</p>
        ) : (
          <Table
            caption={t('Balances by asset')}
            columns={balanceColumns}
            rows={balances}
            rowKey={({ mode, asset }) => `${mode} ${asset}`}
          />
        )}
      </Section>
      <Section title={t('History')}>
        <OperatorTabs
          label={t('History')}
          tabs={[
            { value: 'live', label: t('Live'), content: <History id={id} mode="live" /> },
            { value: 'test', label: t('Test'), content: <History id={id} mode="test" /> },
          ]}
        />
      </Section>
      <Section title={t('Sessions')}>
        {sessions.length === 0 ? (
          <p className="text-sm text-quiet">{t('Signed in nowhere.')}</p>
        ) : (
          <div className="grid gap-3">
            <Table
              caption={t('Sessions and their devices')}
              columns={sessionColumns}
              rows={sessions}
              rowKey={(session) => session.id}
            />
            <div>
              <Button onClick={onEnd}>{t('End all sessions')}</Button>
            </div>
          </div>
        )}
      </Section>
    </>
  );
}

function History({ id, mode }: { id: string; mode: 'live' | 'test' }): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const lines = useUserLines(id, mode, cursor);
  const withdrawals = useUserWithdrawals(id, mode);
  return (
    <div className="grid gap-4">
      <List
        list={lines}
        caption={t('Entries')}
        columns={lineColumns}
        rowKey={(line) => `${line.id} ${line.amount}`}
        empty={<p className="text-sm text-quiet">{t('Nothing has moved yet.')}</p>}
      />
      <Loaded query={withdrawals} rows={1}>
        {({ items }) =>
          items.length > 0 && (
            <Table
              caption={t('Withdrawals')}
              columns={withdrawalColumns}
              rows={items}
              rowKey={(each) => each.id}
            />
          )
        }
      </Loaded>
    </div>
  );
}

const balanceColumns: Column<WalletUserDetail['balances'][number]>[] = [
  { key: 'mode', head: t('Mode'), cell: ({ mode }) => (mode === 'live' ? t('Live') : t('Test')) },
  {
    key: 'available',
    head: t('Available'),
    align: 'end',
    grow: true,
    amounts: ({ available }) => [available],
    cell: ({ available, asset }) => <Money amount={available} currency={asset} />,
  },
  { key: 'held', head: t('Held'), align: 'end', cell: ({ held }) => held },
  { key: 'owed', head: t('Owed'), align: 'end', from: 'sm', cell: ({ owed }) => owed },
];

const lineColumns: Column<BalanceLine>[] = [
  {
    key: 'cause',
    head: t('What'),
    grow: true,
    className: 'min-w-32',
    cell: (line) =>
      line.cause === 'wallet_send' ? (
        <>
          {line.amount.startsWith('-') ? t('Sent to') : t('Sent by')} {line.username}
        </>
      ) : (
        <LineCause line={line} />
      ),
  },
  { key: 'at', head: t('When'), from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
  amountColumn(),
];

const withdrawalColumns: Column<UserWithdrawal>[] = [
  { key: 'status', head: t('Status'), cell: ({ status }) => status.replace('_', ' ') },
  { key: 'to', head: t('To'), grow: true, className: 'min-w-32 wrap-anywhere', cell: ({ to }) => to },
  amountColumn(),
];

const sessionColumns: Column<WalletUserDetail['sessions'][number]>[] = [
  { key: 'address', head: t('Address'), grow: true, cell: ({ address }) => address },
  { key: 'agent', head: t('Device'), from: 'md', cell: ({ user_agent }) => user_agent ?? '–' },
  { key: 'seen', head: t('Last used'), align: 'end', cell: ({ seen_at }) => <Time at={seen_at} /> },
];
