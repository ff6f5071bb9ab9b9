import { Check, Vault, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { amountText } from '../../../format/amount.ts';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Money } from '../../../ui/display/money.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { Holdings } from './holdings.tsx';
import { type AssetTotals, type LedgerKind, ledgerKinds, useHoldings, useTotals } from './queries.ts';

const names: Record<LedgerKind, string> = {
  business: t('Merchants'),
  user: t('Wallets'),
  suspense: t('Suspense'),
  payable: t('To customers'),
  receivable: t('From merchants'),
  direct: t('On the way'),
  fees: t('Fees'),
  external: t('Outside'),
};

/** What every kind of account holds in each asset; each line sums to zero. */
export function Totals(): ReactNode {
  const totals = useTotals();
  // Holdings stand between the others, and would move those below them if they came later.
  if (useHoldings().isLoading) return <SkeletonRows rows={4} />;
  return (
    <Loaded query={totals}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={Vault} title={t('The ledger is empty')}>
            {t(
              'With the first payment, what merchants, wallets and the outside world hold is shown here, asset by asset.',
            )}
          </EmptyState>
        ) : (
          <>
            <ModeTotals mode="live" rows={items.filter(({ mode }) => mode === 'live')} />
            <Holdings mode="live" />
            <ModeTotals mode="test" rows={items.filter(({ mode }) => mode === 'test')} />
            <Holdings mode="test" />
          </>
        )
      }
    </Loaded>
  );
}

function ModeTotals({ mode, rows }: { mode: 'live' | 'test'; rows: AssetTotals[] }): ReactNode {
  return (
    <Section
      title={mode === 'live' ? t('Live') : t('Test')}
      description={
        mode === 'live'
          ? t(
              'Real money. Outside is the counter-account of all money that came in, so each line sums to zero.',
            )
          : t('Test money, which is worth nothing.')
      }
    >
      {rows.length === 0 ? (
        <p className="text-sm text-quiet">{t('No money has moved in this mode.')}</p>
      ) : (
        <Table
          caption={t('Totals, {mode}', { mode: ofGateway(mode) })}
          columns={columnsFor(rows)}
          rows={rows}
          rowKey={({ asset }) => asset}
        />
      )}
    </Section>
  );
}

const figure = (amount: string, asset: string): ReactNode =>
  amount === '0' ? <span className="text-quiet">–</span> : <Money amount={amount} currency={asset} bare />;

const sometimes: readonly LedgerKind[] = ['payable', 'receivable', 'direct'];

/** What is owed gets a column only where somebody owes, and what settles directly where something is on the way. */
function columnsFor(rows: AssetTotals[]): Column<AssetTotals>[] {
  const shown = ledgerKinds.filter(
    (kind) => !sometimes.includes(kind) || rows.some((row) => row[kind] !== '0'),
  );
  return [
    assetColumn,
    sumColumn,
    ...shown.map(
      (kind): Column<AssetTotals> => ({
        key: kind,
        head: names[kind],
        align: 'end',
        className: 'px-3',
        amounts: (row) => [row[kind]],
        cell: (row) => figure(row[kind], row.asset),
      }),
    ),
  ];
}

const assetColumn: Column<AssetTotals> = {
  key: 'asset',
  head: t('Asset'),
  cell: ({ asset, currency, network }) => (
    <span className="whitespace-nowrap">
      <span className="font-semibold">{currency ?? asset}</span>{' '}
      {network !== null && <span className="text-quiet">{network}</span>}
    </span>
  ),
};

const sumColumn: Column<AssetTotals> = {
  key: 'sum',
  head: t('Sum'),
  align: 'end',
  cell: ({ sum }) =>
    sum === '0' ? (
      <Badge tone="paid" icon={Check}>
        0
      </Badge>
    ) : (
      <Badge tone="lost" icon={X}>
        {amountText(sum)}
      </Badge>
    ),
};
