import { Type } from 'typebox';
import type { Console } from '../identity/console/console.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { decodeCursor, encodeCursor, pageOf } from '../kit/http/cursor.ts';
import { queryReader } from '../kit/http/fields.ts';
import { defaultPageLimit, pageById, pageFields } from '../kit/http/page-query.ts';
import { isUuid } from '../kit/ids.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { type AuditRun, type Audits, auditRuns } from './audits.ts';
import {
  AuditRunPage,
  IntegrationBalancePage,
  ReceivablePage,
  StartedAudit,
  TotalsPage,
} from './console-answers.ts';
import { balancesOf } from './ledger.ts';
import { installationTotals, ownersOf } from './totals.ts';

export type LedgerOperatorDeps = { db: Database; now: Clock; assets: Assets; audits: Audits };

const readPage = queryReader(Type.Object(pageFields));
const accountPattern = /^\d{1,18}$/;
const kinds = [
  'business',
  'user',
  'suspense',
  'payable',
  'receivable',
  'direct',
  'fees',
  'fees_out',
  'external',
] as const;

/** The whole installation's money, what merchants owe, and audits of the ledger. */
export function ledgerOperatorRoutes(dashboard: Console, deps: LedgerOperatorDeps): void {
  const { db, now, assets, audits } = deps;
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.find(asset)?.scale ?? 0);

  dashboard.get('operator', '/totals', { answer: TotalsPage }, async () => {
    const items = (await installationTotals(db)).map(({ mode, asset, units }) => {
      const of = (kind: (typeof kinds)[number]) => decimal(asset, units[kind] ?? 0n);
      const total = kinds.reduce((sum, kind) => sum + (units[kind] ?? 0n), 0n);
      return {
        mode,
        asset,
        currency: assets.find(asset)?.currency ?? null,
        network: assets.find(asset)?.network ?? null,
        business: of('business'),
        user: of('user'),
        suspense: of('suspense'),
        payable: of('payable'),
        receivable: of('receivable'),
        direct: of('direct'),
        fees: decimal(asset, (units.fees ?? 0n) + (units.fees_out ?? 0n)),
        external: of('external'),
        sum: decimal(asset, total),
      };
    });
    return { message: 'Totals', data: { items, next_cursor: null } };
  });

  dashboard.get('operator', '/receivables', { answer: ReceivablePage }, async ({ query }) => {
    const { cursor, limit = defaultPageLimit } = readPage(query);
    const before = cursor === undefined ? null : BigInt(decodeCursor(cursor, [accountPattern])[0]);
    const rows = await ownersOf(db, 'receivable', { before, limit: limit + 1 });
    const page = pageOf(rows, limit, ({ account }) => encodeCursor([account]));
    const items = page.items.map(({ account: _, units, ...row }) => ({
      ...row,
      amount: decimal(row.asset, units),
    }));
    return { message: 'Receivables', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.get(
    'operator',
    '/integrations/:id/balances',
    { answer: IntegrationBalancePage },
    async ({ params }) => {
      const id = params.id ?? '';
      if (!isUuid(id)) throw refuse(kitErrors.not_found);
      const items = [];
      for (const mode of ['live', 'test'] as const) {
        for (const { asset, available, held } of await balancesOf(db, {
          kind: 'business',
          owner: id,
          mode,
        })) {
          items.push({ mode, asset, available: decimal(asset, available), held: decimal(asset, held) });
        }
      }
      return { message: 'Balances', data: { items, next_cursor: null } };
    },
  );

  dashboard.get('operator', '/ledger-audits', { answer: AuditRunPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => auditRuns(db, { ...rows, now: now() }));
    return { message: 'Audits', data: { ...page, items: page.items.map(runView) } };
  });

  dashboard.write('POST', 'operator', '/ledger-audits', { answer: StartedAudit }, async (tx, { actor }) => {
    const id = await audits.start(tx, actor.name);
    const change = { action: 'started an audit of the ledger', subject: { kind: 'audit', id } };
    return { message: 'Audit started', data: { id }, change };
  });
}

function runView({ started_at, ended_at, ...run }: AuditRun) {
  return { ...run, started_at: started_at.toISOString(), ended_at: ended_at?.toISOString() ?? null };
}
