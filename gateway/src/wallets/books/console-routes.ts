import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { fieldReader, invalid, queryReader } from '../../kit/http/fields.ts';
import { pageFields } from '../../kit/http/page-query.ts';
import type { Holder } from '../../ledger/lines.ts';
import { type MonthStatement, statementsOf } from '../../ledger/statements.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { isPriceCurrency, priceCurrencies } from '../../money/price-currencies.ts';
import { accountingCurrencyOf, setAccountingCurrency } from '../../rates/history.ts';
import { AccountingCurrency, MonthKinds, MonthStatementPage } from '../console-answers.ts';
import { type BookDeps, bookCsv, bookJournal, type ValueDeps } from './files.ts';
import { directTotals, kindsCsv, kindTotals, kindView } from './kinds.ts';
import { valuesOf } from './values.ts';

const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const filePattern = /^(\d{4}-(?:0[1-9]|1[0-2])|all)\.(csv|kinds\.csv|hledger|beancount)$/;

const readMonthsQuery = queryReader(Type.Object(pageFields));
const AssetQuery = Type.Object({ asset: Type.Optional(Type.String({ maxLength: 40, format: 'text' })) });
const readAssetQuery = queryReader(AssetQuery);
const readCurrency = fieldReader(Type.Object({ currency: Type.String({ maxLength: 3 }) }));
const defaultLimit = 12;

export type BookRouteDeps = { db: Database; assets: Assets; now: Clock };

/** What every month did to a business's balances, and its books as files: of one month, or of all. */
export function bookRoutes(dashboard: Console, deps: BookRouteDeps): void {
  const { db, assets, now } = deps;
  currencyRoutes(dashboard, deps);
  dashboard.get(
    'mode',
    '/statements',
    { may: 'read', answer: MonthStatementPage },
    async ({ integration, owner, query }) => {
      const { cursor, limit = defaultLimit } = readMonthsQuery(query);
      const [before] = cursor === undefined ? [] : decodeCursor(cursor, [monthPattern]);
      const holder: Holder = { kind: 'business', owner: integration.id, mode: owner.mode };
      const { statements: known, direct } = await bothOf(db, holder, () => true);
      const months = [...new Set([...known, ...direct].map(({ month }) => month))].sort().reverse();
      const wanted = months.filter((month) => before === undefined || month < before);
      const page = pageOf(wanted.slice(0, limit + 1), limit, (month) => encodeCursor([month]));
      const of = (month: string, all: readonly MonthStatement[]) =>
        all.filter((each) => each.month === month);
      const shown = page.items.flatMap((month) => of(month, known));
      const values = await valuesOf(
        deps,
        owner,
        shown.map(({ month, asset, closing: units }) => ({ asset, units, created_at: endOf(month, now()) })),
      );
      const views = shown.map((statement, index) => ({
        ...statementView(assets, statement),
        closing_value: values[index]?.net ?? null,
        value_currency: values[index]?.currency ?? null,
      }));
      const items = page.items.map((month) => ({
        month,
        assets: views.splice(0, of(month, known).length),
        direct: of(month, direct).map((statement) => statementView(assets, statement)),
      }));
      return { message: 'Statements', data: { items, next_cursor: page.next_cursor } };
    },
  );

  dashboard.downloadAged('mode', '/statements/:file', { may: 'export' }, async (call) => {
    const { aged: db, integration, owner, params, query, reply } = call;
    const [file, month, format] = filePattern.exec(params.file ?? '') ?? [];
    const { asset } = readAssetQuery(query);
    if (file === undefined) throw refuse(kitErrors.not_found);
    const holder: Holder = { kind: 'business', owner: integration.id, mode: owner.mode };
    const isWanted = (each: MonthStatement) =>
      (month === 'all' || each.month === month) && (asset === undefined || each.asset === asset);
    const found = await bothOf(db, holder, isWanted);
    if (found.statements.length + found.direct.length === 0) throw refuse(kitErrors.not_found);
    const books: BookDeps = { db, assets, holder, ...found };
    const isCsv = format === 'csv' || format === 'kinds.csv';
    const name = ['statement', owner.mode, month, ...(asset === undefined ? [] : [asset])].join('-');
    return reply
      .type(isCsv ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}.${format}"`)
      .send(Readable.from(fileOf(books, format)));
  });

  dashboard.getAged(
    'mode',
    '/statements/:month/kinds',
    { may: 'read', answer: MonthKinds },
    async ({ aged: db, integration, owner, params }) => {
      const month = params.month ?? '';
      const holder: Holder = { kind: 'business', owner: integration.id, mode: owner.mode };
      const found = await bothOf(db, holder, (each) => each.month === month);
      if (found.statements.length + found.direct.length === 0) throw refuse(kitErrors.not_found);
      const deps = { db, assets, holder };
      const shown = await kindsOf(deps, found.statements, kindTotals);
      const settled = await kindsOf(deps, found.direct, directTotals);
      return { message: 'Kinds of lines', data: { month, assets: shown, direct: settled } };
    },
  );
}

/** The statements of the balance and of what settles directly, of months and assets that are wanted. */
async function bothOf(
  reader: Reader,
  holder: Holder,
  isWanted: (statement: MonthStatement) => boolean,
): Promise<Pick<BookDeps, 'statements' | 'direct'>> {
  const statements = (await statementsOf(reader, holder)).filter(isWanted);
  const direct = (await statementsOf(reader, { ...holder, kind: 'direct' })).filter(isWanted);
  return { statements, direct };
}

async function kindsOf(deps: ValueDeps, statements: readonly MonthStatement[], totalsIn: typeof kindTotals) {
  const shown = [];
  for (const statement of statements) {
    const asset = deps.assets.get(statement.asset);
    const totals = await totalsIn(deps, statement);
    shown.push({ asset: asset.code, kinds: totals.map((total) => kindView(total, asset)) });
  }
  return shown;
}

function fileOf(books: BookDeps, format: string | undefined): AsyncGenerator<string> {
  if (format === 'hledger' || format === 'beancount') return bookJournal(books, format);
  return format === 'kinds.csv' ? kindsCsv(books) : bookCsv(books);
}

/** In which money the books of an integration are kept from now on. */
function currencyRoutes(dashboard: Console, { db, now }: BookRouteDeps): void {
  const choices = [...priceCurrencies];
  dashboard.get(
    'integration',
    '/accounting-currency',
    { may: 'read', answer: AccountingCurrency },
    async ({ integration }) => {
      const currency = await accountingCurrencyOf(db, integration.id, now());
      return { message: 'Accounting currency', data: { currency, choices } };
    },
  );

  dashboard.write(
    'PUT',
    'integration',
    '/accounting-currency',
    { may: 'manage integrations', answer: AccountingCurrency },
    async (tx, { integration, body }) => {
      const { currency } = readCurrency(body);
      if (!isPriceCurrency(currency)) throw invalid('currency', 'must be an ISO 4217 code, such as EUR');
      const before = await accountingCurrencyOf(tx, integration.id, now());
      await setAccountingCurrency(tx, integration.id, currency, now());
      const change = {
        action: 'changed the accounting currency',
        subject: { kind: 'integration', id: integration.id },
        before: { accounting_currency: before },
        after: { accounting_currency: currency },
      };
      return { message: 'Accounting currency changed', data: { currency, choices }, change };
    },
  );
}

/** The last moment of a month in UTC, or now where it has not ended. */
function endOf(month: string, now: Date): Date {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Math.min(Date.UTC(year, number, 1) - 1, now.getTime()));
}

function statementView(assets: Assets, { asset, ...statement }: MonthStatement) {
  const { scale, currency, network } = assets.get(asset);
  const decimal = (units: bigint) => decimalOf(units, scale);
  return {
    asset,
    currency,
    network,
    opening: decimal(statement.opening),
    in: decimal(statement.incoming),
    out: decimal(statement.outgoing),
    fees: decimal(statement.fees),
    closing: decimal(statement.closing),
    lines: statement.lines,
  };
}
