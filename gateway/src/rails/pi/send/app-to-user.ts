import { after } from '../../../kit/clock.ts';
import { type Lease, LeaseLost, writeUnderLease } from '../../../kit/db/lease.ts';
import { numberOf } from '../../../money/money.ts';
import { isAccount } from '../horizon/account.ts';
import { piScale } from '../horizon/network.ts';
import { isRefusal, PlatformFault } from '../platform/fault.ts';
import type { PlatformPayment } from '../platform/payment.ts';
import type { SendDeps, SendPlatform } from './deps.ts';
import { giveUp, postpone } from './outcome.ts';
import { type Ready, type Send, unclosedSends } from './record.ts';

// Payments of the app to a user of the Pi Browser. The platform names the wallet and the memo; the money is sent there
// as by any other order; then the transaction is reported to the platform. Every step but the transaction itself may be
// repeated without harm.

/** The text that the user reads in the wallet. */
const userMemo = 'Florin';

/**
 * The order with its destination: its own, or the wallet that the platform names; null while the platform names none.
 * Throws LeaseLost.
 */
export async function openAtPlatform(deps: SendDeps, lock: Lease, send: Send): Promise<Ready | null> {
  const { db, platform } = deps;
  if (send.destination !== null) return { ...send, destination: send.destination };
  if (!platform) {
    await postpone(deps, lock, send, 'Without a server key of the Pi platform no user can be sent anything');
    return null;
  }
  try {
    const payment = (await findAtPlatform(platform, send)) ?? (await createAtPlatform(platform, send));
    const fault = faultOf(deps, send, payment);
    if (fault) {
      await giveUp(deps, lock, send.id, fault);
      return null;
    }
    const { to: destination, identifier } = payment;
    await writeUnderLease(db, lock, async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE pi_sends SET destination = $2, memo = $3, identifier = $3
         WHERE id = $1 AND state = 'queued' AND destination IS NULL`,
        [send.id, destination, identifier],
      );
      // Another sender has noted the destination, or the order was cancelled: only what is noted is sent.
      if (rowCount !== 1) throw new LeaseLost(lock.name);
    });
    return { ...send, destination, memo: identifier, identifier };
  } catch (error) {
    if (!(error instanceof PlatformFault)) throw error;
    // A refusal is about this user, who may have an earlier payment that is not completed.
    await postpone(deps, lock, send, error.message);
    return null;
  }
}

/** A payment that was made for this order before, by a call whose answer was lost. */
async function findAtPlatform(platform: SendPlatform, { id }: Send): Promise<PlatformPayment | undefined> {
  return (await platform.incomplete()).find(
    ({ metadata, cancelled }) => metadata.send_id === id && !cancelled,
  );
}

async function createAtPlatform(platform: SendPlatform, { id, units, uid }: Send): Promise<PlatformPayment> {
  if (uid === null) throw new Error(`Send ${id} names neither an address nor a user`);
  const amount = numberOf(units, piScale);
  return await platform.create({ amount, memo: userMemo, metadata: { send_id: id }, uid });
}

/** Why the payment that the platform made is not the order's; null: it is. */
function faultOf({ pi }: SendDeps, send: Send, payment: PlatformPayment): string | null {
  const isAsOrdered =
    payment.direction === 'app_to_user' &&
    payment.units === send.units &&
    payment.userUid === send.uid &&
    payment.metadata.send_id === send.id;
  if (!isAsOrdered) return 'The Pi platform made another payment than it was asked for';
  if (payment.network !== pi.passphrase) return `The Pi platform would send on "${payment.network}"`;
  if (payment.from !== pi.account)
    return 'The wallet of the app at the Pi platform is another account than ours';
  if (!isAccount(payment.to)) return 'The Pi platform names a wallet that is no account';
  return null;
}

const slowestCloseSeconds = 3600;

/**
 * Reports to the platform how payments to users ended: with their transaction, or cancelled. While one is open, its user
 * cannot get another.
 */
export async function closeAtPlatform(deps: SendDeps): Promise<void> {
  const { db, pi, platform, now, log } = deps;
  if (!platform) return;
  for (const { id, identifier, hash, since } of await unclosedSends(db, pi, now())) {
    try {
      await closeOne(platform, identifier, hash);
      await db.query('UPDATE pi_sends SET closed_at = $2 WHERE id = $1', [id, now()]);
    } catch (error) {
      if (!(error instanceof PlatformFault)) throw error;
      const waitedSeconds = (now().getTime() - since.getTime()) / 1000;
      const pause = Math.min(slowestCloseSeconds, Math.max(10, waitedSeconds));
      await db.query('UPDATE pi_sends SET close_after = $2 WHERE id = $1', [id, after(now(), pause)]);
      log.warn({ send: id, fault: error.message }, 'the Pi platform does not take how a send ended');
    }
  }
}

async function closeOne(platform: SendPlatform, identifier: string, hash: string | null): Promise<void> {
  try {
    if (hash === null) await platform.cancel(identifier);
    else await platform.complete(identifier, hash);
  } catch (error) {
    // It may refuse a report that was made before, by a call whose answer was lost.
    if (!isRefusal(error)) throw error;
    const payment = await platform.payment(identifier);
    const isClosed = hash === null ? payment.cancelled || payment.completed : payment.completed;
    if (!isClosed) throw error;
  }
}
