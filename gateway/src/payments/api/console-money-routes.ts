import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Mode } from '../../identity/integration.ts';
import type { Database } from '../../kit/db/db.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { operatorOf, placeOfOwner, treasuryOf } from '../../ledger/places.ts';
import { outsideTotals } from '../../ledger/totals.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { isPiCode } from '../../rails/pi/horizon/network.ts';
import type { Sending } from '../../rails/rail.ts';
import { sendingFor } from '../../rails/sending-for.ts';
import { type Explorers, senderUrl, transactionUrl } from '../read/explorers.ts';
import { overpaidPayments } from '../read/overpaid.ts';
import { owedWithoutRefund } from '../refunds/owed-overpayments.ts';
import { owedRefunds } from '../refunds/owed-refunds.ts';
import {
  type Holding,
  HoldingPage,
  OwedOverpaymentPage,
  OwedRefundPage,
} from './console-answers/operators.ts';

export type MoneyDeps = {
  db: Database;
  assets: Assets;
  explorers: Explorers;
  /** The rails that the gateway has a key for. */
  sendings: readonly Sending[];
};

const readPage = queryReader(Type.Object(pageFields));

/** Where money lies outside the ledger, and what of it is owed back to customers. */
export function moneyRoutes(dashboard: Console, deps: MoneyDeps): void {
  const { db, assets, explorers, sendings } = deps;
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.find(asset)?.scale ?? 0);

  dashboard.get('operator', '/holdings', { answer: HoldingPage }, async () => {
    const items = await Promise.all((['live', 'test'] as const).map((mode) => holdingsOf(deps, mode)));
    return { message: 'Holdings', data: { items: items.flat(), next_cursor: null } };
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
      can_send: sendingFor(sendings, refund.mode, refund.asset) !== undefined,
    }));
    return { message: 'Refunds that are owed', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.get('operator', '/owed-overpayments', { answer: OwedOverpaymentPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => overpaidPayments(db, rows));
    const owed = await owedWithoutRefund(
      db,
      page.items.map(({ id }) => id),
    );
    const items = page.items.flatMap(({ completed_at, ...payment }) => {
      const amounts = owed
        .filter(({ paymentId }) => paymentId === payment.id)
        .map(({ asset, units }) => ({
          asset,
          network: assets.find(asset)?.network ?? null,
          amount: decimal(asset, units),
        }));
      return amounts.length > 0 ? [{ ...payment, completed_at: completed_at.toISOString(), amounts }] : [];
    });
    return { message: 'Overpayments that are owed', data: { items, next_cursor: page.next_cursor } };
  });
}

/** What is on networks, by rail and asset. */
async function holdingsOf({ db, assets }: MoneyDeps, mode: Mode): Promise<Holding[]> {
  const outside = await outsideTotals(db, mode);
  const decimal = (asset: string, units: bigint) => decimalOf(units, assets.find(asset)?.scale ?? 0);
  const unitsOf = (owner: string, asset: string): bigint =>
    -(outside.find((each) => each.owner === owner && each.asset === asset)?.units ?? 0n);
  return outside
    .filter(({ owner }) => placeOfOwner(owner, isRail)?.place === 'addresses')
    .map(({ owner: rail, asset }) => {
      // Pi has no treasury: what operators put beside customers' money and have not taken out again is their own.
      const moved = unitsOf((isPiCode(rail) ? operatorOf : treasuryOf)(rail).owner, asset);
      const [inTreasury, own] = moved < 0n ? [0n, -moved] : [moved, 0n];
      return {
        mode,
        rail,
        asset,
        currency: assets.find(asset)?.currency ?? null,
        network: assets.find(asset)?.network ?? null,
        on_addresses: decimal(asset, unitsOf(rail, asset)),
        own_on_addresses: decimal(asset, own),
        in_treasury: decimal(asset, inTreasury),
      };
    });
}

function isRail(name: string): boolean {
  return isPiCode(name) || name.startsWith('evm:');
}
