import { Readable } from 'node:stream';
import type { Owner } from '../../identity/owner.ts';
import { collectGarbage } from '../../kit/collect-garbage.ts';
import { csvHead, csvLine } from '../../kit/csv.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { openSnapshot } from '../../kit/db/snapshot.ts';
import { refuse } from '../../kit/errors.ts';
import type { TimePlace } from '../../kit/http/cursor.ts';
import { type Assets, currencies, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { rateScale } from '../../money/rates.ts';
import { paymentErrors } from '../payment/errors.ts';
import { unusuals } from '../payment/payment.ts';
import { joinedTransactions } from './by-id.ts';
import { minorUnitsSql, type PaymentFilter } from './filter.ts';
import { countPayments, listQuery } from './list.ts';

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `count` is how many payments the stream will hold; an estimate where counting them takes too long. */
export type Export = { stream: Readable; count: bigint; isEstimate: boolean };

const isoSql = (time: string): string =>
  `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const unitSql = currencies
  .map((currency) => `WHEN '${currency}' THEN ${decimalOf(1n, currencyScale[currency])}`)
  .join(' ');
// Multiplied, which is exact; a division of numerics rounds.
const decimalSql = (units: string): string => `trim_scale(${units} * CASE p.currency ${unitSql} END)::text`;

/** A price, and its fee, in its own money. */
const priceSql = `trim_scale(round(p.price_amount::numeric / ${minorUnitsSql}, 4))::text`;
const priceFeeSql = `coalesce(trim_scale(round(p.fee * CASE p.currency ${unitSql} END * p.rate
  * ${decimalOf(1n, rateScale)}, length(${minorUnitsSql}::text) - 1))::text, '0')`;

/** What of a payment `p` went back by refunds of a table. */
const sentOf = (refunds: string): string =>
  `SELECT asset, units FROM ${refunds} f WHERE f.payment_id = p.id AND f.status = 'completed'`;

/** What came for the payment `p` and what went back, in its currency; the transfers that count are those of `received`. */
function moneyColumns(assets: Assets) {
  const one = (code: string, scale: number) => `WHEN '${code}' THEN ${decimalOf(1n, scale)}`;
  const worth = (row: string) =>
    `${row}.units * CASE ${row}.asset ${assets.all.map(({ code, scale }) => one(code, scale)).join(' ')} END`;
  const kinds = assets.all.map(({ code, currency }) => `('${code}', '${currency}')`).join(', ');
  const received = `payment_transfers t WHERE t.payment_id = p.id AND t.state <> 'gone' AND (t.asset, p.currency) IN (${kinds})`;
  const sum = (row: string, from: string) =>
    `(SELECT trim_scale(coalesce(sum(${worth(row)}), 0))::text FROM ${from})`;
  return {
    received: sum('t', received),
    refunded: sum('r', `(${['payment_refunds', 'direct_refunds'].map(sentOf).join(' UNION ALL ')}) r`),
    asset: `(SELECT string_agg(DISTINCT t.asset, ' ') FROM ${received})`,
    transaction: joinedTransactions(received),
  };
}

/** The columns of an export as texts, made in SQL: made in this process they would take more memory than there is for it. */
const ownColumns = {
  payment_reference: 'p.reference',
  id: 'p.id::text',
  created_at: isoSql('p.created_at'),
  payment_status: 'p.status',
  reason: 'p.reason',
  unusual: `concat_ws(' ', ${unusuals.map((each) => `CASE WHEN p.is_${each} THEN '${each}' END`).join(', ')})`,
  currency: 'coalesce(p.price_currency, p.currency)',
  amount: `CASE WHEN p.price_amount IS NULL THEN ${decimalSql('p.amount')} ELSE ${priceSql} END`,
  amount_due: decimalSql('p.amount_due'),
  service_fee: `CASE WHEN p.price_amount IS NULL THEN ${decimalSql('p.fee')} ELSE ${priceFeeSql} END`,
  fee_payer: 'p.fee_payer',
  method: 'p.method',
  customer_email: 'p.customer_email',
  customer_reference: 'p.customer_reference',
  payment_note: 'p.payment_note',
  item_list: 'p.item_list::text',
  meta_data: 'p.meta_data',
  success_url: 'p.success_url',
  failure_url: 'p.failure_url',
  deadline: isoSql('p.deadline'),
  linked_at: isoSql('p.linked_at'),
  completed_at: isoSql('p.completed_at'),
  updated_at: isoSql('p.updated_at'),
  paid_currency: 'p.currency',
  paid_amount: decimalSql('p.amount'),
  paid_fee: decimalSql('p.fee'),
  rate: `trim_scale(p.rate * ${decimalOf(1n, rateScale)})::text`,
};
const idAt = Object.keys(ownColumns).indexOf('id');
const createdAt = Object.keys(ownColumns).indexOf('created_at');

type Row = (string | null)[];

const batchSize = 500;
/** Measured with a million payments: 50 MB more memory at the most, and 166 MB without. */
const batchesBetweenCollections = 50;
/** A client that reads nothing for so long counts as gone, also where its connection is open. */
const idleMs = 120_000;
/** Each export holds a connection for minutes: no business may take all of them. */
const mostAtOnce = 4;
const mostOfOne = 3;

/**
 * Returns `startExport`: exactly the payments that the filter wants, newest first, as they all were at one
 * moment. Rows are read as the client takes them. Throws `too_many_exports`.
 */
export function createExporter(assets: Assets) {
  const columns = { ...ownColumns, ...moneyColumns(assets) };
  const names = Object.keys(columns);
  const selected = Object.values(columns).join(', ');
  const underWay: Owner['integrationId'][] = [];
  return async (db: Database, owner: Owner, filter: PaymentFilter, format: ExportFormat): Promise<Export> => {
    const { integrationId } = owner;
    const own = underWay.filter((id) => id === integrationId);
    if (underWay.length >= mostAtOnce || own.length >= mostOfOne) {
      throw refuse(paymentErrors.too_many_exports);
    }
    underWay.push(integrationId);
    let snapshot: Awaited<ReturnType<typeof openSnapshot>> | undefined;
    const end = async (): Promise<void> => {
      underWay.splice(underWay.indexOf(integrationId), 1);
      await snapshot?.close();
    };
    try {
      snapshot = await openSnapshot(db, idleMs);
      const { reader } = snapshot;
      const total = await countPayments(reader, owner, filter);
      const stream = Readable.from(written(pages(reader, owner, filter, selected), names, format), {
        highWaterMark: 1,
      });
      stream.once('close', () => void end());
      return { stream, ...total };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

async function* pages(
  reader: Reader,
  owner: Owner,
  filter: PaymentFilter,
  selected: string,
): AsyncGenerator<Row[]> {
  let place: TimePlace | null = null;
  for (let batch = 1; ; batch++) {
    if (batch % batchesBetweenCollections === 0) await collectGarbage();
    const query = listQuery(owner, filter, { place, limit: batchSize }, selected);
    const { rows }: { rows: Row[] } = await reader.query<Row>({ ...query, rowMode: 'array' });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    place = placeOf(last);
  }
}

function placeOf(row: Row): TimePlace {
  const [at, id] = [row[createdAt], row[idAt]];
  if (!at || !id) throw new Error('A payment has an id and a time');
  return { at: new Date(at), id };
}

async function* written(
  pages: AsyncIterable<Row[]>,
  names: readonly string[],
  format: ExportFormat,
): AsyncGenerator<string> {
  yield format === 'csv' ? csvHead(names) : '[';
  let before = '\n';
  for await (const rows of pages) {
    if (format === 'csv') yield rows.map(csvLine).join('');
    else yield before + rows.map((row) => jsonOf(names, row)).join(',\n');
    before = ',\n';
  }
  if (format === 'json') yield '\n]\n';
}

function jsonOf(names: readonly string[], row: Row): string {
  return JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]])));
}
