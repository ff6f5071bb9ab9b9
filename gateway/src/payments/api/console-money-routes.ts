import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Database } from '../../kit/db/db.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { outsideTotals } from '../../ledger/totals.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { piRail } from '../../rails/pi/horizon/network.ts';
import type { Sending } from '../../rails/rail.ts';
import { type Explorers, senderUrl, transactionUrl } from '../explorers.ts';
import { owedRefunds } from '../sending/owed-refunds.ts';
import { treasuryOf } from '../treasury.ts';
import { HoldingPage, OwedRefundPage } from './console-answers/operators.ts';

export type MoneyDeps = {
  db: Database;
  assets: Assets;
  explorers: Explorers;
  /** The rails that the gateway has a key for. */
  sendings: readonly Sending[];
};

const readPage = queryReader(Type.Object(pageFields));

/** Where live money lies outside the ledger, and what of it is owed back to customers. */
export function moneyRoutes(dashboard: Console, deps: MoneyDeps): void {
  const { db, assets, explorers, sendings } = deps;
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.find(asset)?.scale ?? 0);

  dashboard.get('operator', '/holdings', { answer: HoldingPage }, async () => {
    const outside = await outsideTotals(db, 'live');
    const unitsOf = (owner: string, asset: string): bigint =>
      -(outside.find((each) => each.owner === owner && each.asset === asset)?.units ?? 0n);
    const items = outside
      .filter(({ owner }) => isRail(owner))
      .map(({ owner: rail, asset }) => {
        // What operators put beside customers' money and have not taken out again is owed to their treasury.
        const moved = unitsOf(treasuryOf(rail).owner, asset);
        const [inTreasury, own] = moved < 0n ? [0n, -moved] : [moved, 0n];
        return {
          rail,
          asset,
          currency: assets.find(asset)?.currency ?? null,
          network: assets.find(asset)?.network ?? null,
          on_addresses: decimal(asset, unitsOf(rail, asset)),
          own_on_addresses: decimal(asset, own),
          in_treasury: decimal(asset, inTreasury),
        };
      });
    return { message: 'Holdings', data: { items, next_cursor: null } };
  });

  dashboard.get('operator', '/owed-refunds', { answer: OwedRefundPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => owedRefunds(db, rows));
    const items = page.items.map(({ units, rail, created_at, ...refund }) => ({
      ...refund,
      network: assets.find(refund.asset)?.network ?? null,
      amount: decimal(refund.asset, units),
      transaction_url: transactionUrl(explorers, rail, refund.transaction),
      sender_url: senderUrl(explorers, { rail, sender: refund.sender }),
      created_at: created_at.toISOString(),
      can_send: sendings.some((each) => each.rail === rail),
    }));
    return { message: 'Refunds that are owed', data: { items, next_cursor: page.next_cursor } };
  });
}

const treasurySuffix = treasuryOf('').owner;

/** Whether an account of the outside is a rail's, and neither its treasury nor what tests and demos come from. */
function isRail(owner: string): boolean {
  return owner === piRail || (owner.startsWith('evm:') && !owner.endsWith(treasurySuffix));
}
