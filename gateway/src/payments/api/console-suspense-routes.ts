import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Database } from '../../kit/db/db.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { suspenseOf } from '../../ledger/totals.ts';
import { type Assets, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { type Explorers, senderUrl, transactionUrl } from '../read/explorers.ts';
import { wantingMatches } from '../unmatched/likely-matches.ts';
import { findLine, suspenseCandidates } from '../unmatched/suspense.ts';
import { LikelyMatchPage, SuspensePage } from './console-answers/operators.ts';

export type SuspenseDeps = { db: Database; assets: Assets; explorers: Explorers };

const readPage = queryReader(Type.Object(pageFields));

/** Money that arrived and belongs to no settled payment yet, and what it was likely meant for. */
export function suspenseRoutes(dashboard: Console, deps: SuspenseDeps): void {
  const { db, assets, explorers } = deps;
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.find(asset)?.scale ?? 0);

  dashboard.get('operator', '/suspense', { answer: SuspensePage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => suspenseCandidates(db, assets, rows));
    const inSuspense = await suspenseOf(
      db,
      page.items.map((line) => line.payment_id),
    );
    const kept = new Set(inSuspense.map(({ cause, owner, asset }) => `${cause} ${owner} ${asset}`));
    const items = page.items
      .filter((line) => kept.has(`${line.payment_id} ${line.integration_id} ${line.asset}`))
      .map(({ units, seen_at: _, final_at, rail, ...line }) => ({
        ...line,
        transaction_url: transactionUrl(explorers, rail, line.transaction),
        sender_url: senderUrl(explorers, { rail, sender: line.sender }),
        amount: decimal(line.asset, units),
        is_of_currency: assets.find(line.asset)?.currency === line.currency,
        arrived_at: final_at.toISOString(),
      }));
    return { message: 'Suspense', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.get('operator', '/suspense/:line/matches', { answer: LikelyMatchPage }, async ({ params }) => {
    const line = await findLine(db, params.line ?? '');
    const sent = { ...line, at: line.seen_at };
    const scope = { integrationId: line.integration_id, except: line.payment_id };
    const items = (await wantingMatches(db, assets, sent, scope)).map(
      ({ amount_due, created_at, ...match }) => ({
        ...match,
        amount_due: decimalOf(amount_due, currencyScale[match.currency]),
        created_at: created_at.toISOString(),
      }),
    );
    return { message: 'Likely matches', data: { items, next_cursor: null } };
  });
}
