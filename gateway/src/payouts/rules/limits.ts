import { dayOf } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import type { Asset, Assets } from '../../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { payoutErrors } from '../payout/errors.ts';
import { addToSums, giveBackUses, holdUses, type LimitTables, lockSums } from './daily-sums.ts';

/**
 * The daily limits of a key, as decimals by asset code; an asset without one has 0. What `asksAbove` orders above them waits
 * for a person's approval.
 */
export type KeyLimits = {
  allowanceId: string;
  byAsset: Readonly<Record<string, string>>;
  asksAbove?: boolean;
};

/** Units that count in a daily limit until what holds them ends unpaid: a payout, or the refund that payouts carry. */
type Held = { by: string; units: bigint };

const tables: LimitTables = {
  ...{ sums: 'payout_sums', uses: 'payout_uses' },
  ...{ limit: 'scope', limitType: 'text', heldBy: 'payout_id' },
};

/** The operator's limit over all integrations. */
const operatorLimit = 'operator';
/** The limit of a key, and of the keys that replaced it. */
const keyLimit = (allowanceId: string): string => `key ${allowanceId}`;

/** What counts in the limits of a key, and in the operator's over all integrations. */
export type Limited = { asset: Asset; inKey?: Held | undefined; inOperator?: Held | undefined };

/** The limits of the key that asks, where it has any, and the operator's by asset; null: none. */
export type Limits = { key: KeyLimits | null; operator: (asset: string) => bigint | null };

/**
 * Counts units in the daily limits of a key, and of the operator: all, or none. Throws `payout_limit`, and
 * `payouts_unavailable` where the operator's limit is exceeded. Where the key asks above its limits, returns `payout_limit` and
 * counts nothing in them; else null.
 */
export async function takeLimits(
  tx: Tx,
  { key, operator }: Limits,
  wanted: readonly Limited[],
  now: Date,
): Promise<Refusal | null> {
  const uses = wanted.flatMap(({ asset: { code: asset }, inKey, inOperator }) => [
    ...(key && inKey ? [useOf(inKey, keyLimit(key.allowanceId), asset)] : []),
    ...(inOperator && operator(asset) !== null ? [useOf(inOperator, operatorLimit, asset)] : []),
  ]);
  if (uses.length === 0) return null;
  let above: Refusal | null = null;
  const assetOf = new Map(wanted.map(({ asset }) => [asset.code, asset]));
  const unitsOf = (limit: string, { code, scale }: Asset): bigint =>
    (limit === operatorLimit ? operator(code) : unitsOfDecimal(key?.byAsset[code] ?? '0', scale)) ?? 0n;
  for (const { limit, asset: code, used } of (await lockSums(tx, tables, uses, now)).values()) {
    const asset = assetOf.get(code);
    if (!asset) continue;
    const units = uses
      .filter((use) => use.limit === limit && use.asset === code)
      .reduce((sum, use) => sum + use.units, 0n);
    const most = unitsOf(limit, asset);
    if (used + units <= most) continue;
    const refusal = exceeded(limit, asset, { most, left: most > used ? most - used : 0n });
    if (limit === operatorLimit || !key?.asksAbove) throw refusal;
    above ??= refusal;
  }
  // What a person approves is not moved by the key's own leave.
  const taken = above === null ? uses : uses.filter(({ limit }) => limit === operatorLimit);
  await addToSums(tx, tables, taken, now);
  await holdUses(tx, tables, taken, now);
  return above;
}

/** What is left of a key's limits on this UTC day for payouts and refunds, in units by asset code. */
export async function leftOfKey(
  reader: Reader,
  assets: Assets,
  { allowanceId, byAsset }: KeyLimits,
  now: Date,
): Promise<{ asset: Asset; limit: bigint; left: bigint }[]> {
  const { rows } = await reader.query<{ asset: string; units: bigint }>(
    'SELECT asset, units FROM payout_sums WHERE scope = $1 AND day = $2',
    [keyLimit(allowanceId), dayOf(now)],
  );
  const used = new Map(rows.map(({ asset, units }) => [asset, units]));
  return Object.entries(byAsset).flatMap(([code, amount]) => {
    const asset = assets.find(code);
    if (!asset) return [];
    const limit = unitsOfDecimal(amount, asset.scale) ?? 0n;
    const left = limit - (used.get(code) ?? 0n);
    return [{ asset, limit, left: left > 0n ? left : 0n }];
  });
}

const useOf = ({ by: heldBy, units }: Held, limit: string, asset: string) => ({
  heldBy,
  limit,
  asset,
  units,
});

function exceeded(limit: string, asset: Asset, { most, left }: { most: bigint; left: bigint }): Refusal {
  if (limit === operatorLimit) {
    const why = `the operator's limit for today leaves ${decimalOf(left, asset.scale)}`;
    return refuse(payoutErrors.payouts_unavailable, { asset: asset.code, why });
  }
  return refuse(payoutErrors.payout_limit, {
    limit: decimalOf(most, asset.scale),
    asset: asset.currency,
    left: decimalOf(left, asset.scale),
  });
}

/** Ends the uses of payouts, or refunds, that have ended unpaid: they no longer count in the sums of their day. */
export const releaseUses = (tx: Tx, heldBy: readonly string[]): Promise<void> =>
  giveBackUses(tx, tables, heldBy);
