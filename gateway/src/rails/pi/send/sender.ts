import { after } from '../../../kit/clock.ts';
import { keepLease, LeaseLost, leaveLease, takeLease } from '../../../kit/db/lease.ts';
import { newId } from '../../../kit/ids.ts';
import { EndpointFault } from '../../endpoint-fault.ts';
import { SendFault } from '../../signing/send-fault.ts';
import { advanceEnvelope, submit } from './advance.ts';
import { createAgreedFates } from './agreed-fate.ts';
import { closeAtPlatform, openAtPlatform } from './app-to-user.ts';
import type { SendDeps } from './deps.ts';
import { noteSenderFault } from './health.ts';
import { nextSend, openEnvelope } from './record.ts';
import { senderLock } from './sender-lock.ts';
import { requireSigner } from './signer-check.ts';
import { signOrder } from './start.ts';

export type OrderSender = {
  /**
   * One round, when it is due: follows what is under way, and sends what is queued. A known fault is logged once, shown
   * to operators and tried again; other faults are thrown.
   */
  tick(): Promise<void>;
  /** Ends sending: what fails from now on is no fault. */
  stop(): void;
};

/** Orders of one round: other accounts get their turn, and a gateway that stops need not wait long. */
const sendsAtOnce = 10;
// While a transaction waits or a fault lasts, Horizon and signer are asked less and less often, at least this often.
const longestWaitSeconds = 15;
const longestFaultSeconds = 60;

/** `done`: nothing is left to do now; `more`: there may be; `waiting`: a transaction is under way. */
type Step = 'done' | 'more' | 'waiting';

/** Makes the sender of orders: one transaction after the other, and in one process at a time. */
export function createOrderSender(deps: SendDeps): OrderSender {
  const { db, pi, now, log } = deps;
  const terms = senderLock(pi, newId(now()));
  const fateOf = createAgreedFates(deps);
  let isSignerKnown = false;
  let isStopping = false;
  let pauses = 0;
  let notBefore = new Date(0);

  function pause(longestSeconds: number): void {
    pauses += 1;
    notBefore = after(now(), Math.min(2 ** Math.min(pauses, 10), longestSeconds));
  }

  async function step(): Promise<Step> {
    // Each step extends the lock.
    const lock = await takeLease(db, terms);
    if (!lock) throw new LeaseLost(terms.name);
    const open = await openEnvelope(db, pi);
    if (open) return (await advanceEnvelope(deps, open, await fateOf(open))) ? 'more' : 'waiting';
    if (await deps.isStopped(db)) return 'done';
    const next = await nextSend(db, pi, now());
    if (!next) return 'done';
    const ready = await openAtPlatform(deps, lock, next);
    const made = ready && (await signOrder(deps, lock, ready));
    if (made) {
      log.info({ send: made.sendId, hash: made.hash }, 'a send is handed in');
      await submit(deps, made);
    }
    return 'more';
  }

  async function round(): Promise<void> {
    if (!isSignerKnown) {
      await requireSigner(deps);
      isSignerKnown = true;
    }
    // Each order takes two steps: it is submitted, and its fate is found out.
    let last: Step = 'more';
    for (let steps = 0; last === 'more' && steps < 2 * sendsAtOnce; steps++) last = await step();
    await closeAtPlatform(deps);
    if (last === 'waiting') pause(longestWaitSeconds);
    else pauses = 0;
  }

  return {
    async tick() {
      if (now() < notBefore) return;
      const lock = await takeLease(db, terms);
      if (!lock) return;
      const stopKeeping = keepLease(db, lock);
      try {
        await round();
        await noteSenderFault(db, pi, null);
      } catch (error) {
        if (error instanceof LeaseLost || isStopping) return;
        if (!(error instanceof EndpointFault || error instanceof SendFault)) throw error;
        pause(longestFaultSeconds);
        const isNew = await noteSenderFault(db, pi, error.message);
        if (isNew) log.warn({ fault: error.message }, 'sending needs attention');
      } finally {
        stopKeeping();
        // The lock runs out by itself where the database cannot be reached.
        await leaveLease(db, terms).catch(() => {});
      }
    },
    stop() {
      isStopping = true;
    },
  };
}
