import { Coins } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useRefresh } from '../../../api/refresh.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { amountColumn } from '../../../ui/list/amount-column.tsx';
import { Rows } from '../../../ui/list/rows.tsx';
import { outcomeWords } from '../../../ui/toast/done.ts';
import { PayoutBadge } from '../../payouts/status.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { FeeDialog } from './fee-dialog.tsx';
import {
  cancelFees,
  type Fee,
  type FeeWithdrawal,
  feePaths,
  useFees,
  useFeeWithdrawals,
  withdrawFees,
} from './queries.ts';

/** The operator's own fees of live mode, and their withdrawal. */
export function Fees(): ReactNode {
  const fees = useFees();
  const [chosen, setChosen] = useState<Fee>();
  return (
    <Loaded query={fees}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={Coins} title={t('No fee was earned yet')}>
            {t('With the first live payment, your fees are listed here, asset by asset.')}
          </EmptyState>
        ) : (
          <>
            <Table
              caption={t('Fees')}
              columns={feeColumns(setChosen)}
              rows={items}
              rowKey={({ asset }) => asset}
            />
            <Withdrawals />
            {chosen && (
              <FeeDialog
                fee={chosen}
                onSend={async (order, key) =>
                  outcomeWords(await withdrawFees(order, key), ({ status }) =>
                    status === 'awaiting_approval' ? t('Another operator has to approve it.') : t('Ordered'),
                  )
                }
                onClose={() => setChosen(undefined)}
              />
            )}
          </>
        )
      }
    </Loaded>
  );
}

const feeColumns = (withdraw: (fee: Fee) => void): Column<Fee>[] => [
  {
    key: 'asset',
    head: t('Asset'),
    grow: true,
    cell: ({ asset, currency, network, why_not }) => (
      <>
        <span className="font-semibold">{currency ?? asset}</span>{' '}
        <span className="text-quiet">{network}</span>
        {why_not !== null && <span className="block text-quiet text-xs">{ofGateway(why_not)}</span>}
      </>
    ),
  },
  {
    key: 'earned',
    head: t('Can be withdrawn'),
    align: 'end',
    amounts: ({ earned }) => [earned],
    cell: ({ asset, earned }) => <Money amount={earned} currency={asset} bare />,
  },
  {
    key: 'leaving',
    head: t('On its way'),
    align: 'end',
    amounts: ({ leaving }) => [leaving],
    cell: ({ asset, leaving }) => <Money amount={leaving} currency={asset} bare />,
  },
  {
    key: 'withdraw',
    head: t('Withdraw'),
    align: 'end',
    cell: (fee) =>
      fee.why_not === null &&
      fee.earned !== '0' &&
      !fee.earned.startsWith('-') && <Button onClick={() => withdraw(fee)}>{t('Withdraw')}</Button>,
  },
];

function Withdrawals(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const withdrawals = useFeeWithdrawals(cursor);
  const refresh = useRefresh();
  const cancel = async (id: string): Promise<void> => {
    await cancelFees(id);
    await refresh(...feePaths);
  };
  return (
    <Loaded query={withdrawals}>
      {(page) =>
        page.items.length > 0 && (
          <Section title={t('Withdrawals')}>
            <Rows
              page={page}
              caption={t('Withdrawals of fees')}
              columns={withdrawalColumns(cancel)}
              rowKey={({ id }) => id}
              stale={withdrawals.isPlaceholderData}
            />
          </Section>
        )
      }
    </Loaded>
  );
}

const withdrawalColumns = (cancel: (id: string) => Promise<void>): Column<FeeWithdrawal>[] => [
  {
    key: 'to',
    head: t('To'),
    grow: true,
    cell: ({ to, failure }) => (
      <>
        <span className="font-mono wrap-anywhere">{to}</span>
        {failure !== null && <span className="block text-quiet text-xs">{failure}</span>}
      </>
    ),
  },
  {
    key: 'status',
    head: t('Status'),
    cell: ({ status, failure }) => <PayoutBadge status={status} isHeldUp={failure !== null} />,
  },
  { key: 'at', head: t('Ordered'), from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
  amountColumn(),
  {
    key: 'cancel',
    head: t('Cancel'),
    align: 'end',
    cell: ({ id, status }) =>
      (status === 'queued' || status === 'awaiting_approval') && (
        <Button onClick={() => void cancel(id)}>{t('Cancel')}</Button>
      ),
  },
];
