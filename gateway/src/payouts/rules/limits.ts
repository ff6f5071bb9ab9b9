import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import type { Asset } from '../../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { payoutErrors } from '../payout/errors.ts';

/** The daily limits of a key, as decimals by asset code; an asset without one has 0. */
export type KeyLimits = { allowanceId: string; byAsset: Readonly<Record<string, string>> };

/** Units that count in a daily limit until what holds them ends unpaid: a payout, or the refund that payouts carry. */
export type Held = { by: string; units: bigint };

/** What is taken of a daily limit. Units are the asset's own. */
type Use = { heldBy: string; scope: string; asset: string; units: bigint };

/** A limit that does not hold all that is wanted of it on this day. */
type Exceeded = { scope: string; asset: string; left: bigint };

/** The operator's limit over all integrations. */
const operatorScope = 'operator';
/** The limit of a key and of those that were rolled from it. */
const keyScope = (allowanceId: string): string => `key ${allowanceId}`;

/** What counts in the limits of a key, and in the operator's over all integrations. */
export type Limited = { asset: Asset; inKey?: Held | undefined; inOperator?: Held | undefined };

/** The limits of the key that asks, where it has any, and the operator's by asset; null: none. */
export type Limits = { key: KeyLimits | null; operator: (asset: string) => bigint | null };

/**
 * Takes units from the daily limits of a key, and of the operator. All, or none: refuses `payout_limit`, and
 * `payouts_unavailable` where it is the operator's that does not hold them.
 */
export async function takeLimits(
  tx: Tx,
  { key, operator }: Limits,
  wanted: readonly Limited[],
  now: Date,
): Promise<void> {
  const uses = wanted.flatMap(({ asset: { code: asset }, inKey, inOperator }): Use[] => [
    ...(key && inKey ? [{ ...useOf(inKey), scope: keyScope(key.allowanceId), asset }] : []),
    ...(inOperator && operator(asset) !== null
      ? [{ ...useOf(inOperator), scope: operatorScope, asset }]
      : []),
  ]);
  const assetOf = new Map(wanted.map(({ asset }) => [asset.code, asset]));
  const limitOf = (scope: string, code: string): bigint => {
    if (scope === operatorScope) return operator(code) ?? 0n;
    return unitsOfDecimal(key?.byAsset[code] ?? '0', assetOf.get(code)?.scale ?? 0) ?? 0n;
  };
  const exceeded = await takeUses(tx, uses, limitOf, now);
  const asset = exceeded && assetOf.get(exceeded.asset);
  if (!exceeded || !asset) return await noteUses(tx, uses, now);
  if (exceeded.scope === operatorScope) {
    const why = `the operator's limit for today leaves ${decimalOf(exceeded.left, asset.scale)}`;
    throw refuse(payoutErrors.payouts_unavailable, { asset: asset.code, why });
  }
  throw refuse(payoutErrors.payout_limit, {
    limit: decimalOf(limitOf(exceeded.scope, exceeded.asset), asset.scale),
    asset: asset.currency,
    left: decimalOf(exceeded.left, asset.scale),
  });
}

const useOf = ({ by: heldBy, units }: Held) => ({ heldBy, units });

/** `2026-03-01`, in UTC. */
const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/**
 * Takes uses from their limits of this UTC day: all, or none where one is exceeded, which is returned. The sums stay
 * locked until the transaction ends, so that of two at once only one passes.
 */
async function takeUses(
  tx: Tx,
  uses: readonly Use[],
  limitOf: (scope: string, asset: string) => bigint,
  now: Date,
): Promise<Exceeded | null> {
  if (uses.length === 0) return null;
  const day = dayOf(now);
  const wanted = sumsOf(uses);
  const keys = [wanted.map(({ scope }) => scope), wanted.map(({ asset }) => asset), day];
  await tx.query(
    `INSERT INTO payout_sums (scope, asset, day, units)
     SELECT scope, asset, $3::date, 0 FROM unnest($1::text[], $2::text[]) AS t (scope, asset)
     ORDER BY scope, asset ON CONFLICT DO NOTHING`,
    keys,
  );
  const { rows } = await tx.query<{ scope: string; asset: string; units: bigint }>(
    `SELECT scope, asset, units FROM payout_sums
     WHERE day = $3 AND (scope, asset) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY scope, asset FOR UPDATE`,
    keys,
  );
  for (const { scope, asset, units: used } of rows) {
    const units = wanted.find((each) => each.scope === scope && each.asset === asset)?.units ?? 0n;
    const limit = limitOf(scope, asset);
    if (used + units > limit) return { scope, asset, left: limit > used ? limit - used : 0n };
  }
  await tx.query(
    `UPDATE payout_sums s SET units = s.units + t.units
     FROM unnest($1::text[], $2::text[], $4::numeric[]) AS t (scope, asset, units)
     WHERE s.scope = t.scope AND s.asset = t.asset AND s.day = $3`,
    [...keys, wanted.map(({ units }) => units)],
  );
  return null;
}

/** Notes who holds what was taken. */
async function noteUses(tx: Tx, uses: readonly Use[], now: Date): Promise<void> {
  if (uses.length === 0) return;
  await tx.query(
    `INSERT INTO payout_uses (payout_id, scope, asset, day, units)
     SELECT payout_id, scope, asset, $5, units
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::numeric[]) AS t (payout_id, scope, asset, units)`,
    [
      uses.map(({ heldBy }) => heldBy),
      uses.map(({ scope }) => scope),
      uses.map(({ asset }) => asset),
      uses.map(({ units }) => units),
      dayOf(now),
    ],
  );
}

function sumsOf(uses: readonly Use[]): Omit<Use, 'heldBy'>[] {
  const sums = new Map<string, Omit<Use, 'heldBy'>>();
  for (const { scope, asset, units } of uses) {
    const name = `${scope} ${asset}`;
    sums.set(name, { scope, asset, units: units + (sums.get(name)?.units ?? 0n) });
  }
  return [...sums.values()];
}

/** Gives back what payouts, or refunds, that have ended unpaid took of limits: each to the day that it was taken on. */
export async function releaseUses(tx: Tx, heldBy: readonly string[]): Promise<void> {
  if (heldBy.length === 0) return;
  // The sums are locked in one order, as `takeUses` locks them.
  await tx.query(
    `SELECT FROM payout_sums s WHERE (s.scope, s.asset, s.day) IN (
       SELECT scope, asset, day FROM payout_uses WHERE payout_id = ANY ($1)
     ) ORDER BY s.scope, s.asset, s.day FOR UPDATE`,
    [heldBy],
  );
  await tx.query(
    `WITH ended AS (DELETE FROM payout_uses WHERE payout_id = ANY ($1) RETURNING scope, asset, day, units)
     UPDATE payout_sums s SET units = s.units - e.units
     FROM (SELECT scope, asset, day, sum(units) AS units FROM ended GROUP BY scope, asset, day) e
     WHERE s.scope = e.scope AND s.asset = e.asset AND s.day = e.day`,
    [heldBy],
  );
}
