import { identityErrors } from '../identity/errors.ts';
import type { Tx } from '../kit/db/db.ts';
import { type Refusal, refuse } from '../kit/errors.ts';
import type { Asset } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import {
  addToSums,
  giveBackUses,
  holdUses,
  type LimitTables,
  lockSums,
  nameOf,
  type Use,
} from '../payouts/rules/daily-sums.ts';
import { walletErrors } from './errors.ts';

/** What a funding counts in a daily limit of its key or its integration. Units are at the asset's own scale. */
export type AllowanceUse = {
  of: 'key' | 'integration';
  allowanceId: string;
  asset: Pick<Asset, 'code' | 'currency' | 'scale'>;
  limit: bigint;
  units: bigint;
};

const tables: LimitTables = {
  ...{ sums: 'funding_allowances', uses: 'funding_claims' },
  ...{ limit: 'allowance_id', limitType: 'uuid', heldBy: 'funding_id' },
};

/**
 * Counts the uses of fundings in the limits of this UTC day, one funding after the other: all uses of a funding, or none
 * where one exceeds its limit. Returns the refusal for each funding (`daily_limit`, `funding_limit`), or null. To be called
 * after the accounts were locked: what ends a funding locks both in this order.
 */
export async function takeAllowances(
  tx: Tx,
  fundings: readonly (readonly AllowanceUse[])[],
  now: Date,
): Promise<(Refusal | null)[]> {
  const all = fundings.flat();
  if (all.length === 0) return fundings.map(() => null);
  const used = new Map<string, bigint>();
  for (const [name, sum] of await lockSums(tx, tables, all.map(useOf), now)) used.set(name, sum.used);
  const usedOf = (use: AllowanceUse): bigint => used.get(nameOf(useOf(use))) ?? 0n;
  const fitting: AllowanceUse[] = [];
  const refusals = fundings.map((own) => {
    const over = own.find((use) => usedOf(use) + use.units > use.limit);
    if (over) return overLimit(over, usedOf(over));
    for (const use of own) used.set(nameOf(useOf(use)), usedOf(use) + use.units);
    fitting.push(...own);
    return null;
  });
  await addToSums(tx, tables, fitting.map(useOf), now);
  return refusals;
}

const useOf = ({ allowanceId: limit, asset, units }: AllowanceUse): Use => ({
  limit,
  asset: asset.code,
  units,
});

function overLimit(
  { of, asset: { code, currency, scale }, limit: most }: AllowanceUse,
  used: bigint,
): Refusal {
  const limit = decimalOf(most, scale);
  const left = decimalOf(most > used ? most - used : 0n, scale);
  return of === 'key'
    ? refuse(identityErrors.daily_limit, { limit, asset: code, left })
    : refuse(walletErrors.funding_limit, { limit, asset: currency, left });
}

/** Takes uses off the sums again that this same transaction counted. */
export async function returnAllowances(tx: Tx, uses: readonly AllowanceUse[], now: Date): Promise<void> {
  const back = uses.map(useOf).map((use) => ({ ...use, units: -use.units }));
  await addToSums(tx, tables, back, now);
}

/** Notes what a funding counts in limits, until its outcome is known. */
export async function holdFundingUses(
  tx: Tx,
  heldBy: string,
  uses: readonly AllowanceUse[],
  now: Date,
): Promise<void> {
  const held = uses.map((use) => ({ ...useOf(use), heldBy }));
  await holdUses(tx, tables, held, now);
}

/** Ends the uses of fundings. Those of voided fundings no longer count in the sums of their day. */
export async function endFundingUses(
  tx: Tx,
  fundingIds: readonly string[],
  how: 'posted' | 'voided',
): Promise<void> {
  if (how === 'voided') await giveBackUses(tx, tables, fundingIds);
  else await tx.query('DELETE FROM funding_claims WHERE funding_id = ANY ($1)', [fundingIds]);
}
