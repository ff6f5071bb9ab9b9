import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import { csvHead, csvLine } from '../../kit/csv.ts';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { pageFields } from '../../kit/http/page-query.ts';
import type { Holder, Line } from '../../ledger/lines.ts';
import { type MonthStatement, monthLines, statementsOf } from '../../ledger/statements.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { MonthStatementPage } from '../console-answers.ts';
import { describeLines } from '../described-lines.ts';

export type StatementDeps = { db: Database; assets: Assets };

const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/;

const readMonthsQuery = queryReader(Type.Object(pageFields));
const AssetQuery = Type.Object({ asset: Type.Optional(Type.String({ maxLength: 40, format: 'text' })) });
const readAssetQuery = queryReader(AssetQuery);
const defaultLimit = 12;

/** What every month did to a business's balances, and its lines as a file. */
export function statementConsoleRoutes(dashboard: Console, { db, assets }: StatementDeps): void {
  dashboard.get(
    'mode',
    '/statements',
    { may: 'read', answer: MonthStatementPage },
    async ({ integration, owner, query }) => {
      const { cursor, limit = defaultLimit } = readMonthsQuery(query);
      const [before] = cursor === undefined ? [] : decodeCursor(cursor, [monthPattern]);
      const holder: Holder = { kind: 'business', owner: integration.id, mode: owner.mode };
      const months = Map.groupBy(await statementsOf(db, holder), ({ month }) => month);
      const wanted = [...months].filter(([month]) => before === undefined || month < before);
      const page = pageOf(wanted.slice(0, limit + 1), limit, ([month]) => encodeCursor([month]));
      const items = page.items.map(([month, statements]) => ({
        month,
        assets: statements.map((statement) => statementView(assets, statement)),
      }));
      return { message: 'Statements', data: { items, next_cursor: page.next_cursor } };
    },
  );

  dashboard.download('mode', '/statements/:file', { may: 'export' }, async (call) => {
    const { integration, owner, params, query, reply } = call;
    const month = /^(.+)\.csv$/.exec(params.file ?? '')?.[1] ?? '';
    const { asset } = readAssetQuery(query);
    if (!monthPattern.test(month)) throw refuse(kitErrors.not_found);
    const holder: Holder = { kind: 'business', owner: integration.id, mode: owner.mode };
    const statements = (await statementsOf(db, holder)).filter(
      (each) => each.month === month && (asset === undefined || each.asset === asset),
    );
    if (statements.length === 0) throw refuse(kitErrors.not_found);
    const name = ['statement', owner.mode, month, ...(asset === undefined ? [] : [asset])].join('-');
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .send(Readable.from(statementCsv({ db, assets }, holder, statements)));
  });
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

const header = [
  'time',
  'asset',
  'network',
  'line',
  'payment_reference',
  'username',
  'amount',
  'balance',
  'id',
];
const linesAtOnce = 500;

/** Each asset's opening balance, its lines, and what they come to. */
async function* statementCsv(
  { db, assets }: StatementDeps,
  holder: Holder,
  statements: MonthStatement[],
): AsyncGenerator<string> {
  yield csvHead(header);
  for (const statement of statements) {
    const { code, network, scale } = assets.get(statement.asset);
    const line = (
      time: string | null,
      what: string,
      cells: (string | null)[],
      { balance, id = null }: { balance: bigint; id?: string | null },
    ) => csvLine([time, code, network, what, ...cells, decimalOf(balance, scale), id]);
    let closing = statement.opening;
    yield line(null, 'opening balance', [null, null, null], { balance: statement.opening });
    for await (const part of inParts(monthLines(db, holder, statement))) {
      for (const each of await describeLines(db, part)) {
        const { created_at, cause, payment_reference, username, units, transfer } = each;
        closing = each.balance;
        const cells = [payment_reference, username, decimalOf(units, scale)];
        yield line(created_at.toISOString(), cause, cells, { balance: closing, id: transfer });
      }
    }
    yield line(null, 'closing balance', [null, null, null], { balance: closing });
  }
}

type BalancedLine = Line & { balance: bigint };

async function* inParts(lines: AsyncIterable<BalancedLine>): AsyncGenerator<BalancedLine[]> {
  let part: BalancedLine[] = [];
  for await (const line of lines) {
    part.push(line);
    if (part.length < linesAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
