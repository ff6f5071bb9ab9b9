import type { IntegrationId } from '../../identity/integration.ts';
import { csvHead, csvLine } from '../../kit/csv.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Holder } from '../../ledger/lines.ts';
import type { MonthStatement } from '../../ledger/statements.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { bookRows } from './book-rows.ts';
import { directLine, directRows } from './direct-rows.ts';
import { createJournal, type JournalFormat, type ValuedDirectRow, type ValuedRow } from './journal.ts';
import { valuesOf } from './values.ts';

export type BookDeps = {
  db: Database;
  assets: Assets;
  holder: Holder;
  statements: readonly MonthStatement[];
  /** Of what settles directly, which no balance counts (contract.md#direct). */
  direct: readonly MonthStatement[];
};

/** The statements of one asset, the oldest first, with what the first opens with and the last closes with. */
type AssetBook = { asset: Asset; opening: bigint; closing: bigint; statements: MonthStatement[] };

function booksOf(assets: Assets, statements: readonly MonthStatement[]): AssetBook[] {
  const sorted = statements.toSorted((one, other) => (one.month < other.month ? -1 : 1));
  return [...Map.groupBy(sorted, ({ asset }) => asset)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([code, own]) => ({
      asset: assets.get(code),
      opening: own[0]?.opening ?? 0n,
      closing: own.at(-1)?.closing ?? 0n,
      statements: own,
    }));
}

export type ValueDeps = Pick<BookDeps, 'db' | 'assets' | 'holder'>;

/** The same of what settles directly: a payment's transfer is worth its parts, a move what moved. */
export async function* valuedDirectRows(
  { db, assets, holder }: ValueDeps,
  statements: readonly MonthStatement[],
): AsyncGenerator<ValuedDirectRow> {
  const owner = { integrationId: holder.owner as IntegrationId, mode: holder.mode };
  for (const statement of statements) {
    for await (const rows of directRows(db, { ...holder, kind: 'direct' }, statement)) {
      const values = await valuesOf(
        { db, assets },
        owner,
        rows.map(({ parts, moved, ...row }) => ({
          ...row,
          units: parts?.net ?? moved,
          fee: parts?.fee ?? 0n,
        })),
      );
      for (const [index, row] of rows.entries()) yield { ...row, value: values[index] ?? null };
    }
  }
}

/** The lines of statements with what each was worth, the oldest first. */
export async function* valuedRows(
  deps: ValueDeps,
  statements: readonly MonthStatement[],
): AsyncGenerator<ValuedRow> {
  const { db, holder } = deps;
  const owner = { integrationId: holder.owner as IntegrationId, mode: holder.mode };
  for (const statement of statements) {
    for await (const rows of bookRows(db, holder, statement)) {
      const values = await valuesOf(
        deps,
        owner,
        rows.map(({ net, ...row }) => ({ ...row, units: net })),
      );
      for (const [index, row] of rows.entries()) yield { ...row, value: values[index] ?? null };
    }
  }
}

const header = [
  ...['time', 'asset', 'network', 'line', 'payment_reference', 'username', 'gross', 'fee', 'net'],
  ...['value', 'value_currency', 'rate', 'transaction', 'refund', 'payout', 'balance', 'id'],
];
/** More columns, only of files in which something settled directly: all others stay as programs know them. */
const directHeader = ['settlement', 'moved', 'own_address', 'arrived_transaction', 'arrived_block'];

/**
 * A file for spreadsheets: each asset's opening balance, its lines, and what they come to. Then the same of what settles
 * directly, where the balance is what is on the way.
 */
export async function* bookCsv(deps: BookDeps): AsyncGenerator<string> {
  const hasDirect = deps.direct.length > 0;
  const noMoves = Array<null>(directHeader.length - 1).fill(null);
  const ofBalance = hasDirect ? ['balance', ...noMoves] : [];
  yield csvHead(hasDirect ? [...header, ...directHeader] : header);
  for (const { asset, opening, closing, statements } of booksOf(deps.assets, deps.statements)) {
    yield csvLine([...balanceCells('opening balance', asset, opening), ...ofBalance]);
    for await (const row of valuedRows(deps, statements))
      yield csvLine([...cellsOf(row, asset), ...ofBalance]);
    yield csvLine([...balanceCells('closing balance', asset, closing), ...ofBalance]);
  }
  for (const { asset, opening, closing, statements } of booksOf(deps.assets, deps.direct)) {
    yield csvLine([...balanceCells('direct_opening', asset, opening), 'direct', ...noMoves]);
    for await (const row of valuedDirectRows(deps, statements)) yield csvLine(directCellsOf(row, asset));
    yield csvLine([...balanceCells('direct_closing', asset, closing), 'direct', ...noMoves]);
  }
}

function balanceCells(what: string, { code, network, scale }: Asset, units: bigint): (string | null)[] {
  const blanks = Array<null>(header.length - 6).fill(null);
  return [null, code, network, what, ...blanks, decimalOf(units, scale), null];
}

function directCellsOf(row: ValuedDirectRow, { code, network, scale }: Asset): (string | null)[] {
  const decimal = (units: bigint) => decimalOf(units, scale);
  const { parts, value, arrived } = row;
  const worth = parts && value;
  return [
    // Only what is paid is worth something: what arrives later is the same money.
    ...[row.created_at.toISOString(), code, network, directLine(row), row.payment_reference, null],
    ...(parts ? [parts.gross, parts.fee, parts.net].map(decimal) : [null, null, null]),
    ...[worth?.net ?? null, worth?.currency ?? null, worth?.rate ?? null],
    ...[row.transaction, null, null, decimal(row.onTheWay), row.id],
    ...['direct', decimal(row.moved), row.address],
    ...[arrived?.transaction ?? null, arrived?.block?.toString() ?? null],
  ];
}

function cellsOf(row: ValuedRow, { code, network, scale }: Asset): (string | null)[] {
  const decimal = (units: bigint) => decimalOf(units, scale);
  const { value } = row;
  return [
    ...[row.created_at.toISOString(), code, network, row.cause, row.payment_reference, row.username],
    ...[decimal(row.gross), decimal(row.fee), decimal(row.net)],
    ...[value?.net ?? null, value?.currency ?? null, value?.rate ?? null],
    ...[row.transaction, row.refund, row.payout, decimal(row.balance), row.id],
  ];
}

/** A journal for a plain-text accounting program. */
export async function* bookJournal(deps: BookDeps, format: JournalFormat): AsyncGenerator<string> {
  const books = booksOf(deps.assets, deps.statements);
  const direct = booksOf(deps.assets, deps.direct);
  const months = [...deps.statements, ...deps.direct].map(({ month }) => month).toSorted();
  const journal = createJournal(format, { first: months[0] ?? '', last: months.at(-1) ?? '' }, books, direct);
  yield journal.head();
  yield journal.opening();
  for (const book of books) {
    for await (const row of valuedRows(deps, book.statements)) yield journal.entry(row);
  }
  for (const book of direct) {
    for await (const row of valuedDirectRows(deps, book.statements)) yield journal.directEntry(row);
  }
  yield journal.closing();
}
