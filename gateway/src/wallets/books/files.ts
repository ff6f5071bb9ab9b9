import type { IntegrationId } from '../../identity/integration.ts';
import { csvHead, csvLine } from '../../kit/csv.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Holder } from '../../ledger/lines.ts';
import type { MonthStatement } from '../../ledger/statements.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { bookRows } from './book-rows.ts';
import { createJournal, type JournalFormat, type ValuedRow } from './journal.ts';
import { valuesOf } from './values.ts';

export type BookDeps = {
  db: Database;
  assets: Assets;
  holder: Holder;
  /** At least one. */
  statements: readonly MonthStatement[];
};

/** The statements of one asset, the oldest first, with what the first opens with and the last closes with. */
type AssetBook = { asset: Asset; opening: bigint; closing: bigint; statements: MonthStatement[] };

function booksOf({ assets, statements }: BookDeps): AssetBook[] {
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

/** The lines of statements with what each was worth, the oldest first. */
export async function* valuedRows(
  deps: Omit<BookDeps, 'statements'>,
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

/** A file for spreadsheets: each asset's opening balance, its lines, and what they come to. */
export async function* bookCsv(deps: BookDeps): AsyncGenerator<string> {
  yield csvHead(header);
  for (const book of booksOf(deps)) {
    const { code, network, scale } = book.asset;
    const balanceLine = (what: string, units: bigint): string => {
      const blanks = Array<null>(header.length - 6).fill(null);
      return csvLine([null, code, network, what, ...blanks, decimalOf(units, scale), null]);
    };
    yield balanceLine('opening balance', book.opening);
    for await (const row of valuedRows(deps, book.statements)) yield csvLine(cellsOf(row, book.asset));
    yield balanceLine('closing balance', book.closing);
  }
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
  const books = booksOf(deps);
  const months = deps.statements.map(({ month }) => month).toSorted();
  const journal = createJournal(format, { first: months[0] ?? '', last: months.at(-1) ?? '' }, books);
  yield journal.head();
  yield journal.opening();
  for (const book of books) {
    for await (const row of valuedRows(deps, book.statements)) yield journal.entry(row);
  }
  yield journal.closing();
}
