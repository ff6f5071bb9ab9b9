import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type DueAttempt, leaseDue } from './attempts.ts';
import { capture, captureOrRelease, moveOn, type RemotePaymentDeps, release } from './pay.ts';

/**
 * Ends what requests left open, until each answer of the other system is definite, and asks for users who are to approve
 * a payment. Returns how many it looked at. Any number of processes may run it at once.
 */
export async function carryOn(deps: RemotePaymentDeps): Promise<number> {
  const due = await leaseDue(deps.db, deps.now());
  await Promise.all(due.map((attempt) => carryOnOne(deps, attempt)));
  return due.length;
}

async function carryOnOne(deps: RemotePaymentDeps, attempt: DueAttempt): Promise<void> {
  switch (attempt.state) {
    case 'capturing':
      await capture(deps, attempt, attempt.tries);
      return;
    case 'voiding':
      await release(deps, attempt, attempt.tries);
      return;
    case 'waiting':
      if (await isOpen(deps.db, attempt.paymentId, deps.now)) await askAgain(deps, attempt);
      else await giveUp(deps, attempt);
      return;
    default:
      // The request that asked has died, and with it the password.
      await giveUp(deps, attempt);
  }
}

async function askAgain(deps: RemotePaymentDeps, attempt: DueAttempt): Promise<void> {
  const outcome = await deps.remote.authorization(attempt.id);
  if (outcome.is === 'authorized') await captureOrRelease(deps, attempt, outcome.asset, null);
  else if (outcome.is !== 'waiting' && outcome.is !== 'unknown')
    await moveOn(deps, attempt, { to: 'refused' });
}

async function giveUp(deps: RemotePaymentDeps, attempt: DueAttempt): Promise<void> {
  if (await moveOn(deps, attempt, { to: 'voiding' })) await release(deps, attempt, 0);
}

async function isOpen(reader: Reader, paymentId: string, now: Clock): Promise<boolean> {
  const { rowCount } = await reader.query(
    `SELECT FROM payments WHERE id = $1 AND status = 'linked' AND deadline > $2`,
    [paymentId, now()],
  );
  return rowCount === 1;
}
