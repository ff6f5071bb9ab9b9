import type { Tx } from '../kit/db/db.ts';

/** What a payout takes of a daily limit. Units are the asset's own. */
export type Use = { payoutId: string; scope: string; asset: string; units: bigint };

/** A limit that does not hold all that is wanted of it on this day. */
export type Exceeded = { scope: string; asset: string; left: bigint };

/** The operator's limit over all integrations. */
export const operatorScope = 'operator';
/** The limit of a key and of those that were rolled from it. */
export const keyScope = (allowanceId: string): string => `key ${allowanceId}`;

/** `2026-03-01`, in UTC. */
const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/**
 * Takes uses from their limits of this UTC day: all, or none where one is exceeded, which is returned. The sums stay
 * locked until the transaction ends, so that of two at once only one passes.
 */
export async function takeUses(
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

/** Notes what payouts took, once their rows exist. */
export async function noteUses(tx: Tx, uses: readonly Use[], now: Date): Promise<void> {
  if (uses.length === 0) return;
  await tx.query(
    `INSERT INTO payout_uses (payout_id, scope, asset, day, units)
     SELECT payout_id, scope, asset, $5, units
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::numeric[]) AS t (payout_id, scope, asset, units)`,
    [
      uses.map(({ payoutId }) => payoutId),
      uses.map(({ scope }) => scope),
      uses.map(({ asset }) => asset),
      uses.map(({ units }) => units),
      dayOf(now),
    ],
  );
}

function sumsOf(uses: readonly Use[]): Omit<Use, 'payoutId'>[] {
  const sums = new Map<string, Omit<Use, 'payoutId'>>();
  for (const { scope, asset, units } of uses) {
    const name = `${scope} ${asset}`;
    sums.set(name, { scope, asset, units: units + (sums.get(name)?.units ?? 0n) });
  }
  return [...sums.values()];
}

/** Releases what payouts that have ended unpaid took of limits. */
export async function releaseUses(tx: Tx, payoutIds: readonly string[]): Promise<void> {
  if (payoutIds.length === 0) return;
  // The sums are locked in one order, as `takeUses` locks them.
  await tx.query(
    `SELECT FROM payout_sums s WHERE (s.scope, s.asset, s.day) IN (
       SELECT scope, asset, day FROM payout_uses WHERE payout_id = ANY ($1)
     ) ORDER BY s.scope, s.asset, s.day FOR UPDATE`,
    [payoutIds],
  );
  await tx.query(
    `WITH ended AS (DELETE FROM payout_uses WHERE payout_id = ANY ($1) RETURNING scope, asset, day, units)
     UPDATE payout_sums s SET units = s.units - e.units
     FROM (SELECT scope, asset, day, sum(units) AS units FROM ended GROUP BY scope, asset, day) e
     WHERE s.scope = e.scope AND s.asset = e.asset AND s.day = e.day`,
    [payoutIds],
  );
}
