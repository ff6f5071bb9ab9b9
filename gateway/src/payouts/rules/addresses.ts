import type { Owner } from '../../identity/owner.ts';
import { after } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { isUuid, newId } from '../../kit/ids.ts';
import { payoutErrors } from '../payout/errors.ts';

/** An address that money may be paid out to, with the memo that belongs to it. */
export type KnownAddress = {
  id: string;
  address: string;
  memo: string | null;
  label: string;
  addedBy: string;
  createdAt: Date;
  /** From then on it may be used. */
  usableAt: Date;
};

/** A new address rests for a day, so that somebody can stop it. */
export const restSeconds = 24 * 3600;
/** Addresses of EVM chains are the same in any case; others are compared as they are. */
export const comparable = (address: string): string =>
  /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address;

const columns = `id, address, memo, label, added_by AS "addedBy", created_at AS "createdAt", usable_at AS "usableAt"`;

/** The address book of an owner, by label. */
export async function knownAddresses(
  reader: Reader,
  { integrationId, mode }: Owner,
): Promise<KnownAddress[]> {
  const { rows } = await reader.query<KnownAddress>(
    `SELECT ${columns} FROM payout_addresses
     WHERE integration_id = $1 AND mode = $2 AND stopped_at IS NULL ORDER BY label, id LIMIT 1000`,
    [integrationId, mode],
  );
  return rows;
}

/** Adds an address; it may be used after a day of the owner's time. Throws `address_known`. */
export async function addAddress(
  tx: Tx,
  owner: Owner,
  { address, memo, label, by }: { address: string; memo: string | null; label: string; by: string },
  now: Date,
): Promise<KnownAddress> {
  const { rows } = await tx.query<KnownAddress>(
    `INSERT INTO payout_addresses (id, integration_id, mode, address, memo, label, added_by, created_at, usable_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [
      newId(now),
      owner.integrationId,
      owner.mode,
      comparable(address),
      memo,
      label,
      by,
      now,
      after(now, restSeconds),
    ],
  );
  const row = rows[0];
  if (!row) throw refuse(payoutErrors.address_known);
  return row;
}

/** Takes an address out of the book. Throws `not_found`. */
export async function stopAddress(
  tx: Tx,
  { integrationId, mode }: Owner,
  { id, by }: { id: string; by: string },
  now: Date,
): Promise<KnownAddress> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await tx.query<KnownAddress>(
    `UPDATE payout_addresses SET stopped_at = $4, stopped_by = $5
     WHERE id = $1 AND integration_id = $2 AND mode = $3 AND stopped_at IS NULL RETURNING ${columns}`,
    [id, integrationId, mode, now, by],
  );
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  return row;
}

/**
 * Refuses destinations that are not in the owner's book, or still rest at `now`, the owner's time. Throws
 * `address_unknown`, `address_rests`.
 */
export async function assertKnown(
  tx: Tx,
  { integrationId, mode }: Owner,
  destinations: readonly { to: string; memo: string | null }[],
  now: Date,
): Promise<void> {
  const { rows } = await tx.query<{ address: string; memo: string | null; usable_at: Date }>(
    `SELECT address, memo, usable_at FROM payout_addresses
     WHERE integration_id = $1 AND mode = $2 AND stopped_at IS NULL AND address = ANY ($3)`,
    [integrationId, mode, destinations.map(({ to }) => comparable(to))],
  );
  for (const { to, memo } of destinations) {
    const known = rows.find((row) => row.address === comparable(to) && row.memo === memo);
    assertUsable(known, now);
  }
}

/** Refuses an address that is in no book, or still rests. Throws `address_unknown`, `address_rests`. */
export function assertUsable(known: { usable_at: Date } | undefined, now: Date): void {
  if (!known) throw refuse(payoutErrors.address_unknown);
  if (known.usable_at <= now) return;
  throw refuse(payoutErrors.address_rests, { time: known.usable_at.toISOString() });
}
