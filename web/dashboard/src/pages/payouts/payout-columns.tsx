import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { Money } from '../../ui/display/money.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { RowLink } from '../../ui/list/row-link.tsx';
import type { ConsolePayout } from './queries.ts';
import { PayoutBadge } from './status.tsx';
import { purposeWords } from './words.ts';

/** The columns of payouts, which open the drawer and say what holds each one up; `more` are behind the others. */
export function payoutColumns<Row extends ConsolePayout>(more: Column<Row>[] = []): Column<Row>[] {
  return [
    {
      key: 'amount',
      head: t('Amount'),
      cell: ({ id, amount, asset }) => (
        <RowLink open={id} replace={false} className="font-semibold">
          <Money amount={amount} currency={asset} />
        </RowLink>
      ),
    },
    {
      key: 'status',
      head: t('Status'),
      className: 'w-full',
      cell: ({ status, failure }) => (
        <>
          <PayoutBadge status={status} isHeldUp={failure !== null} />
          {failure !== null && (
            <span className="block pt-1 text-quiet wrap-anywhere">{ofGateway(failure)}</span>
          )}
        </>
      ),
    },
    {
      key: 'to',
      head: t('To'),
      from: 'md',
      className: 'whitespace-nowrap',
      cell: ({ to }) => (
        <span className="font-mono" title={to}>
          {to.length > 18 ? `${to.slice(0, 8)}…${to.slice(-6)}` : to}
        </span>
      ),
    },
    {
      key: 'purpose',
      head: t('For'),
      from: 'lg',
      className: 'whitespace-nowrap',
      cell: ({ purpose, payout_reference }) => payout_reference ?? purposeWords[purpose],
    },
    ...more,
    {
      key: 'at',
      head: t('Asked for'),
      from: 'sm',
      className: 'whitespace-nowrap',
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
}
