import { identityErrors } from '../identity/errors.ts';
import type { Tx } from '../kit/db/db.ts';
import { type Refusal, refuse } from '../kit/errors.ts';
import { decimalOf } from '../money/money.ts';

/** What one funding asks of its key's daily limit. All units are at the asset's own scale. */
export type AllowanceUse = {
  allowanceId: string;
  asset: string;
  scale: number;
  limit: bigint;
  units: bigint;
};

type Sum = { allowanceId: string; asset: string; units: bigint };

/**
 * Takes each use from what its key may still fund on this UTC day, in order; returns the refusal (`daily_limit`) of each
 * that does not fit, else null. The sums stay locked until the transaction ends, so that of two at once only one passes.
 */
export async function takeAllowances(tx: Tx, uses: AllowanceUse[], now: Date): Promise<(Refusal | null)[]> {
  const sums = await lockSums(tx, uses, dayOf(now));
  const refusals = uses.map((use) => {
    const sum = sumOf(sums, use);
    if (sum.units + use.units <= use.limit) {
      sum.units += use.units;
      return null;
    }
    return refuse(identityErrors.daily_limit, {
      limit: decimalOf(use.limit, use.scale),
      asset: use.asset,
      left: decimalOf(use.limit > sum.units ? use.limit - sum.units : 0n, use.scale),
    });
  });
  await writeSums(tx, [...sums.values()], dayOf(now));
  return refusals;
}

/** Takes back what uses took in this same transaction. */
export async function returnAllowances(tx: Tx, uses: AllowanceUse[], now: Date): Promise<void> {
  if (uses.length === 0) return;
  const sums = await lockSums(tx, uses, dayOf(now));
  for (const use of uses) sumOf(sums, use).units -= use.units;
  await writeSums(tx, [...sums.values()], dayOf(now));
}

/** Keeps what a funding took until another system reports its outcome. */
export async function keepUse(tx: Tx, fundingId: string, use: AllowanceUse, now: Date): Promise<void> {
  await tx.query(
    'INSERT INTO funding_claims (funding_id, allowance_id, asset, day, units) VALUES ($1, $2, $3, $4, $5)',
    [fundingId, use.allowanceId, use.asset, dayOf(now), use.units],
  );
}

/** Ends a kept use, if there is one. A voided funding no longer counts in the sum of its day. */
export async function endUse(tx: Tx, fundingId: string, how: 'posted' | 'voided'): Promise<void> {
  await tx.query(
    `WITH ended AS (DELETE FROM funding_claims WHERE funding_id = $1 RETURNING *)
     UPDATE funding_allowances a SET units = a.units - ended.units
     FROM ended
     WHERE $2 = 'voided' AND a.allowance_id = ended.allowance_id AND a.asset = ended.asset AND a.day = ended.day`,
    [fundingId, how],
  );
}

/** Always in the same order, so that two transactions never wait for each other. */
async function lockSums(tx: Tx, uses: AllowanceUse[], day: string): Promise<Map<string, Sum>> {
  const values = [uses.map(({ allowanceId }) => allowanceId), uses.map(({ asset }) => asset), day];
  await tx.query(
    `INSERT INTO funding_allowances (allowance_id, asset, day, units)
     SELECT DISTINCT allowance_id, asset, $3::date, 0 FROM unnest($1::uuid[], $2::text[]) AS t (allowance_id, asset)
     ORDER BY allowance_id, asset
     ON CONFLICT DO NOTHING`,
    values,
  );
  const { rows } = await tx.query<{ allowance_id: string; asset: string; units: bigint }>(
    `SELECT allowance_id, asset, units FROM funding_allowances
     WHERE day = $3 AND (allowance_id, asset) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
     ORDER BY allowance_id, asset FOR UPDATE`,
    values,
  );
  const sums = rows.map(({ allowance_id, asset, units }) => ({ allowanceId: allowance_id, asset, units }));
  return new Map(sums.map((sum) => [nameOf(sum), sum]));
}

/** The sum that `lockSums` read for a use. */
function sumOf(sums: ReadonlyMap<string, Sum>, use: AllowanceUse): Sum {
  const sum = sums.get(nameOf(use));
  if (!sum) throw new Error(`No sum of allowance ${nameOf(use)}`);
  return sum;
}

async function writeSums(tx: Tx, sums: Sum[], day: string): Promise<void> {
  await tx.query(
    `UPDATE funding_allowances a SET units = t.units
     FROM unnest($1::uuid[], $2::text[], $3::numeric[]) AS t (allowance_id, asset, units)
     WHERE a.allowance_id = t.allowance_id AND a.asset = t.asset AND a.day = $4 AND a.units <> t.units`,
    [
      sums.map(({ allowanceId }) => allowanceId),
      sums.map(({ asset }) => asset),
      sums.map(({ units }) => units),
      day,
    ],
  );
}

function nameOf({ allowanceId, asset }: { allowanceId: string; asset: string }): string {
  return `${allowanceId} ${asset}`;
}

/** `2026-03-01`, in UTC. */
function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
