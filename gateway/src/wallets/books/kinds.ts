import { csvHead, csvLine } from '../../kit/csv.ts';
import type { MonthStatement } from '../../ledger/statements.ts';
import type { Asset } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import { type BookDeps, type ValueDeps, valuedDirectRows, valuedRows } from './files.ts';
import type { ValuedRow } from './journal.ts';

/**
 * What the lines of one kind did to a balance in a month, in units of the asset: `gross - fee = net`. The totals of a month come
 * to what it did to the balance.
 */
export type KindTotal = {
  /** The cause of its lines. */
  kind: string;
  lines: number;
  gross: bigint;
  fee: bigint;
  net: bigint;
  /** What the lines were worth, each in its moment, in minor units; null: of those that have no value. */
  value: { units: bigint; currency: PriceCurrency } | null;
};

/**
 * The lines of a statement by kind. Where the accounting currency changed within the month, a kind has a total in each; lines
 * for which no rate was known are totals of their own.
 */
export async function kindTotals(deps: ValueDeps, statement: MonthStatement): Promise<KindTotal[]> {
  return await totalsOf(valuedRows(deps, [statement]));
}

/** The same of payments that settled directly; their releases move the same money, and are left out. */
export async function directTotals(deps: ValueDeps, statement: MonthStatement): Promise<KindTotal[]> {
  return await totalsOf(paidDirectly(deps, statement));
}

async function* paidDirectly(deps: ValueDeps, statement: MonthStatement): AsyncGenerator<Counted> {
  for await (const { cause, parts, value } of valuedDirectRows(deps, [statement]))
    if (parts) yield { cause, ...parts, value };
}

type Counted = Pick<ValuedRow, 'cause' | 'gross' | 'fee' | 'net' | 'value'>;

async function totalsOf(rows: AsyncIterable<Counted>): Promise<KindTotal[]> {
  const totals = new Map<string, KindTotal>();
  for await (const { cause: kind, gross, fee, net, value } of rows) {
    const key = `${kind} ${value?.currency ?? ''}`;
    const before = totals.get(key) ?? { lines: 0, gross: 0n, fee: 0n, net: 0n, value: null };
    totals.set(key, {
      kind,
      lines: before.lines + 1,
      ...{ gross: before.gross + gross, fee: before.fee + fee, net: before.net + net },
      value: value && {
        units: (before.value?.units ?? 0n) + value.netUnits,
        currency: value.currency,
      },
    });
  }
  return [...totals].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

/** A total in decimals, as the dashboard and files show it. */
export function kindView({ kind, lines, gross, fee, net, value }: KindTotal, { scale }: Asset) {
  const decimal = (units: bigint) => decimalOf(units, scale);
  return {
    ...{ kind, lines, gross: decimal(gross), fee: decimal(fee), net: decimal(net) },
    value: value && decimalOf(value.units, minorDigits(value.currency)),
    value_currency: value?.currency ?? null,
  };
}

const header = [
  ...['month', 'asset', 'network', 'line', 'lines', 'gross', 'fee', 'net', 'value', 'value_currency'],
];

/** A file for spreadsheets: the lines of each month and asset by kind; where something settled directly, that too, marked. */
export async function* kindsCsv(deps: BookDeps): AsyncGenerator<string> {
  const hasDirect = deps.direct.length > 0;
  yield csvHead(hasDirect ? [...header, 'settlement'] : header);
  for (const [settlement, statements, totalsIn] of [
    ['balance', deps.statements, kindTotals],
    ['direct', deps.direct, directTotals],
  ] as const) {
    for (const statement of statements.toSorted(byMonth)) {
      const asset = deps.assets.get(statement.asset);
      for (const total of await totalsIn(deps, statement)) {
        const { kind, lines, gross, fee, net, value, value_currency } = kindView(total, asset);
        const what = [statement.month, asset.code, asset.network, kind, `${lines}`];
        yield csvLine([...what, gross, fee, net, value, value_currency, ...(hasDirect ? [settlement] : [])]);
      }
    }
  }
}

const byMonth = (one: MonthStatement, other: MonthStatement): number =>
  `${one.month} ${one.asset}` < `${other.month} ${other.asset}` ? -1 : 1;
