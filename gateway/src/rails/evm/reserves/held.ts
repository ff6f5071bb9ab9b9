import type { Database } from '../../../kit/db/db.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { Agreement } from '../scan/blocks/agreement.ts';
import { agreedBalances, holdingKey } from '../scan/final/balances.ts';
import { keepOpening } from './openings.ts';
import type { ChainSnapshot } from './snapshot.ts';

/** What a chain's contracts show of one asset, at the snapshot's final block. */
export type AssetHeld = {
  addresses: bigint;
  treasury: bigint;
  vault: bigint;
  /** What treasuries and vaults held before their transfers were read. */
  opening: bigint;
  /** What the owner of the extended key moved from addresses below it: zero or less. */
  moved: bigint;
  /** Endpoints do not agree what one of the addresses holds; that is missing here. */
  isUnclear: boolean;
};

const nothing = (): AssetHeld => ({
  ...{ addresses: 0n, treasury: 0n, vault: 0n },
  ...{ opening: 0n, moved: 0n, isUnclear: false },
});

/**
 * Asks the token contracts what the places of a snapshot hold; two endpoints must agree, where there are two. What a
 * treasury or vault held before its transfers were read is kept when it is first known. Throws RpcFault, also where no
 * endpoint keeps the state of that block any more.
 */
export async function readHeld(
  { db, agreement, now }: { db: Database; agreement: Agreement; now: Date },
  { chain, block, expected }: ChainSnapshot,
): Promise<Map<AssetCode, AssetHeld>> {
  const held = new Map(chain.tokens.map(({ asset }) => [asset, nothing()]));
  if (expected.length === 0) return held;
  const { balances } = await agreedBalances(agreement, expected, { seen: block, final: block });
  for (const each of expected) {
    const sums = held.get(each.asset);
    const balance = balances.get(holdingKey(each));
    if (!sums) continue;
    if (!balance) {
      sums.isUnclear = true;
      continue;
    }
    if (!('read' in each)) {
      sums.addresses += balance.units;
      if (each.place === 'key') sums.moved += balance.units - each.units;
      continue;
    }
    sums[each.place] += balance.units;
    const read = each.read ?? 0n;
    const opening = each.opening ?? balance.units - read;
    sums.opening += opening;
    // Until its transfers are read up to this block the opening may change.
    if (each.opening === null && each.since <= block.number) {
      await keepOpening(db, chain.id, { ...each, units: opening, read, block: block.number }, now);
    }
  }
  return held;
}
