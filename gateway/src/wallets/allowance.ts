import { identityErrors } from '../identity/errors.ts';
import type { Tx } from '../kit/db/db.ts';
import { type Refusal, refuse } from '../kit/errors.ts';
import type { Asset } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { walletErrors } from './errors.ts';

/** What one funding asks of a daily limit: of its key's, or of its integration's. Units are at the asset's own scale. */
export type AllowanceUse = {
  of: 'key' | 'integration';
  allowanceId: string;
  asset: Pick<Asset, 'code' | 'currency' | 'scale'>;
  limit: bigint;
  units: bigint;
};

type Sum = { allowanceId: string; asset: string; units: bigint };

/**
 * Takes the uses of each funding from what may still be funded on this UTC day, in order: all of a funding, or none where
 * one does not fit. Returns for each funding the refusal of its first that does not (`daily_limit`, `funding_limit`), else
 * null. The sums stay locked until the transaction ends, so that of two at once only one passes. To be called after the
 * accounts were locked: what ends a funding locks both in this order.
 */
export async function takeAllowances(
  tx: Tx,
  fundings: readonly (readonly AllowanceUse[])[],
  now: Date,
): Promise<(Refusal | null)[]> {
  const uses = fundings.flat();
  if (uses.length === 0) return fundings.map(() => null);
  const sums = await lockSums(tx, uses, dayOf(now));
  const refusals = fundings.map((own) => {
    const over = own.find((use) => sumOf(sums, use).units + use.units > use.limit);
    if (over) return overLimit(over, sumOf(sums, over).units);
    for (const use of own) sumOf(sums, use).units += use.units;
    return null;
  });
  await writeSums(tx, [...sums.values()], dayOf(now));
  return refusals;
}

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

/** Takes back what uses took in this same transaction. */
export async function returnAllowances(tx: Tx, uses: readonly AllowanceUse[], now: Date): Promise<void> {
  if (uses.length === 0) return;
  const sums = await lockSums(tx, uses, dayOf(now));
  for (const use of uses) sumOf(sums, use).units -= use.units;
  await writeSums(tx, [...sums.values()], dayOf(now));
}

/** Keeps what a funding took until its outcome is known. */
export async function keepUses(
  tx: Tx,
  fundingId: string,
  uses: readonly AllowanceUse[],
  now: Date,
): Promise<void> {
  if (uses.length === 0) return;
  await tx.query(
    `INSERT INTO funding_claims (funding_id, allowance_id, asset, day, units)
     SELECT $1, allowance_id, asset, $2, units
     FROM unnest($3::uuid[], $4::text[], $5::numeric[]) AS t (allowance_id, asset, units)`,
    [
      ...[fundingId, dayOf(now)],
      uses.map(({ allowanceId }) => allowanceId),
      uses.map(({ asset }) => asset.code),
      uses.map(({ units }) => units),
    ],
  );
}

/** Ends what a funding kept, if anything. A voided one no longer counts in the sums of its day. */
export async function endUses(tx: Tx, fundingId: string, how: 'posted' | 'voided'): Promise<void> {
  await tx.query(
    `WITH ended AS (DELETE FROM funding_claims WHERE funding_id = $1 RETURNING *)
     UPDATE funding_allowances a SET units = a.units - ended.units
     FROM ended
     WHERE $2 = 'voided' AND a.allowance_id = ended.allowance_id AND a.asset = ended.asset AND a.day = ended.day`,
    [fundingId, how],
  );
}

/** Always in the same order, so that two transactions never wait for each other. */
async function lockSums(tx: Tx, uses: readonly AllowanceUse[], day: string): Promise<Map<string, Sum>> {
  const values = [uses.map(({ allowanceId }) => allowanceId), uses.map(({ asset }) => asset.code), day];
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
  const name = nameOf({ allowanceId: use.allowanceId, asset: use.asset.code });
  const sum = sums.get(name);
  if (!sum) throw new Error(`No sum of allowance ${name}`);
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
