import { hash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { clientKey } from '../../kit/net/client-address.ts';

/** Where a call comes from: what its device's cookie holds, if it has one, and its address. */
export type Origin = { device: string | null; ip: string };

/** How long a browser keeps the cookie of its device. No browser keeps one longer. */
export const deviceSeconds = 400 * 24 * 3600;
/** A place is deleted when nobody signed in from there for so long. */
const keptSeconds = 180 * 24 * 3600;
const mostPlaces = 50;

function placesOf({ device, ip }: Origin): string[] {
  const address = `address ${clientKey(ip)}`;
  // The device first: strangers may share an address.
  return device === null ? [address] : [`device ${hash('sha256', device, 'base64url')}`, address];
}

/** The place from which this account or user signed in before: the device, else the address; null: neither. */
export async function knownPlace(
  reader: Reader,
  owner: string | null,
  origin: Origin,
): Promise<string | null> {
  const { rows } = await reader.query<{ place: string }>(
    'SELECT place FROM known_places WHERE owner = $1 AND place = ANY ($2) ORDER BY place DESC LIMIT 1',
    [owner, placesOf(origin)],
  );
  return rows[0]?.place ?? null;
}

/**
 * Notes that the owner signed in from this place; returns whether the device is new to them, and whether they knew no
 * place before.
 */
export async function rememberPlace(
  tx: Tx,
  owner: string,
  origin: Origin,
  now: Date,
): Promise<{ isNew: boolean; isFirst: boolean }> {
  const { rowCount } = await tx.query('SELECT FROM known_places WHERE owner = $1 LIMIT 1', [owner]);
  const { rows } = await tx.query<{ place: string; is_new: boolean }>(
    `INSERT INTO known_places (owner, place, seen_at) SELECT $1, unnest($2::text[]), $3
     ON CONFLICT (owner, place) DO UPDATE SET seen_at = excluded.seen_at
     RETURNING place, xmax = 0 AS is_new`,
    [owner, placesOf(origin).sort(), now],
  );
  await tx.query(
    `DELETE FROM known_places WHERE owner = $1 AND place IN (
       SELECT place FROM known_places WHERE owner = $1 ORDER BY seen_at DESC, place OFFSET $2)`,
    [owner, mostPlaces],
  );
  const isNew = rows.some(({ place, is_new }) => is_new && place.startsWith('device '));
  return { isNew, isFirst: rowCount === 0 };
}

/** Deletes the places of an account: somebody else, who knew its password, may have signed in from them. */
export async function forgetPlacesOf(tx: Tx, owner: string): Promise<void> {
  await tx.query('DELETE FROM known_places WHERE owner = $1', [owner]);
}

/** Deletes places from which nobody signed in for half a year. */
export async function forgetPlaces(db: Database, now: Date): Promise<void> {
  await db.query('DELETE FROM known_places WHERE seen_at < $1', [after(now, -keptSeconds)]);
}
