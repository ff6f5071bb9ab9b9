import { createHash } from 'node:crypto';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Seal, sealedColumn } from '../../kit/seal.ts';
import { noticeErrors } from '../errors.ts';

/** Where and how to push to a browser, as the browser gave it (`PushSubscription`). */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/** Whoever has a subscription and the VAPID key can push to the browser. */
export const sealedSubscriptions = sealedColumn('notice_devices', 'subscription');

export type Device = { id: string; label: string; createdAt: Date };

const maxDevices = 10;

/** The devices on which a person allowed notices, in the order in which they did; 10 at most. */
export async function listDevices(reader: Reader, accountId: string): Promise<Device[]> {
  const { rows } = await reader.query<Device>(
    'SELECT id, label, created_at AS "createdAt" FROM notice_devices WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  return rows;
}

/**
 * Keeps a browser's subscription; one that is known already, of whomever, now belongs to this account: who sits at the browser
 * has signed in here. Throws `device_limit`.
 */
export async function addDevice(
  tx: Tx,
  seal: Seal,
  accountId: string,
  { subscription, label, now }: { subscription: Subscription; label: string; now: Date },
): Promise<Device & { formerOwner: string | null }> {
  const hash = createHash('sha256').update(subscription.endpoint).digest();
  const former = await tx.query<{ id: string }>(
    'DELETE FROM notice_devices WHERE address_hash = $1 RETURNING account_id AS id',
    [hash],
  );
  const known = await tx.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM notice_devices WHERE account_id = $1',
    [accountId],
  );
  if (oneRow(known, 'count of devices').count >= maxDevices) {
    throw refuse(noticeErrors.device_limit, { max: `${maxDevices}` });
  }
  const id = newId(now);
  await tx.query(
    `INSERT INTO notice_devices (id, account_id, address_hash, subscription, label, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, accountId, hash, seal.seal(JSON.stringify(subscription), sealedSubscriptions.at(id)), label, now],
  );
  return { id, label, createdAt: now, formerOwner: former.rows[0]?.id ?? null };
}

/** Forgets one of a person's devices; false when there is none. */
export async function removeDevice(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM notice_devices WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
  ]);
  return rowCount === 1;
}
