import { BrushCleaning } from 'lucide-react';
import type { ReactNode } from 'react';
import { amountText, readAsset } from '../../../format/amount.ts';
import { counted, t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Id } from '../../../ui/display/code.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { Rows } from '../../../ui/list/rows.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { LeftBehindTable } from './left-behind.tsx';
import { type Sender, type Sweep, useSweeps } from './queries.ts';

/** The sweeps of deposits from their addresses to the treasury. */
export function Sweeps(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const sweeps = useSweeps(cursor);
  return (
    <Loaded query={sweeps}>
      {({ items, next_cursor, senders, left_behind }) => (
        <>
          {senders.map((sender) => (
            <SenderFaults key={sender.chain} sender={sender} />
          ))}
          {items.length === 0 && cursor === undefined ? (
            <EmptyState icon={BrushCleaning} title={t('Nothing was swept yet')} code={example}>
              {t(
                'Live money waits at the addresses of its payments until a sweep moves it to the treasury. A chain with sweep.gas_key_file is swept by the gateway itself; any other one by this command.',
              )}
            </EmptyState>
          ) : (
            <Section title={t('Sweeps')} description={senders.map(gasText).filter(Boolean).join(' · ')}>
              <Rows
                page={{ items, next_cursor }}
                caption={t('Sweeps and their transactions')}
                columns={columns}
                rowKey={({ id }) => id}
              />
            </Section>
          )}
          {left_behind.length > 0 && <LeftBehindTable rows={left_behind} />}
        </>
      )}
    </Loaded>
  );
}

const example = 'florin sweep --dry-run';

function SenderFaults({ sender: { chain, faults } }: { sender: Sender }): ReactNode {
  return faults.map((fault) => (
    <Banner key={fault} tone="waiting" title={t('Sweeping on {chain} needs attention', { chain })}>
      {fault}
    </Banner>
  ));
}

function gasText({ chain, gas_balance }: Sender): string {
  return gas_balance === null ? '' : t('The gas key of {chain} holds {gas_balance}', { chain, gas_balance });
}

const looks = {
  prepared: { tone: 'waiting', words: t('Waiting') },
  sent: { tone: 'waiting', words: t('Sent') },
  mined: { tone: 'waiting', words: t('Mined') },
  final: { tone: 'paid', words: t('Final') },
  failed: { tone: 'lost', words: t('Reverted') },
  replaced: { tone: 'quiet', words: t('Replaced') },
} as const;

function State({ sweep: { state, fault } }: { sweep: Sweep }): ReactNode {
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={looks[state].tone}>{looks[state].words}</Badge>
      {fault !== null && <span className="max-w-64 text-quiet wrap-anywhere">{fault}</span>}
    </span>
  );
}

function Unit({ sweep: { asset, unit } }: { sweep: Sweep }): ReactNode {
  if (asset !== null) return readAsset(asset).currency;
  return unit?.startsWith('0x') ? <Id text={unit} what={t('token')} length={11} /> : unit;
}

const columns: Column<Sweep>[] = [
  {
    key: 'transaction',
    head: t('Transaction'),
    cell: (sweep) => (
      <span className="grid gap-1">
        <Id text={sweep.transaction} what={t('transaction')} href={sweep.transaction_url} length={13} />
        <span className="text-quiet">
          {counted(sweep.deposits, '1 deposit', '{count} deposits')} · {sweep.chain}
        </span>
        <span className="sm:hidden">
          <State sweep={sweep} />
        </span>
      </span>
    ),
  },
  {
    key: 'amount',
    head: t('Amount'),
    align: 'end',
    className: 'max-sm:pl-0',
    cell: (sweep) => (
      <span className="grid justify-items-end">
        <span className="tabular-nums wrap-anywhere">{amountText(sweep.amount)}</span>
        <span className="text-quiet">
          <Unit sweep={sweep} />
        </span>
      </span>
    ),
  },
  {
    key: 'gas',
    head: t('Gas paid'),
    align: 'end',
    from: 'lg',
    cell: ({ gas_paid }) => <span className="whitespace-nowrap text-quiet">{gas_paid ?? '–'}</span>,
  },
  {
    key: 'state',
    head: t('State'),
    from: 'sm',
    className: 'min-w-44',
    cell: (sweep) => <State sweep={sweep} />,
  },
  {
    key: 'at',
    head: t('Sent'),
    align: 'end',
    from: 'md',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];
