import { newId } from '../../../kit/ids.ts';
import { EndpointFault } from '../../endpoint-fault.ts';
import { closeAtPlatform, openAtPlatform } from './app-to-user.ts';
import type { SendDeps } from './deps.ts';
import { SendFault } from './fault.ts';
import { follow, handIn } from './follow.ts';
import { LaneLost, leaveLane, noteLaneFault, takeLane } from './lane.ts';
import { nextSend, openEnvelope } from './record.ts';
import { requireSigner } from './signer-check.ts';
import { start } from './start.ts';

export type Sender = {
  /**
   * One round: follows what is under way, and sends what is queued. What keeps it from that is logged once, shown
   * to operators and tried again; other faults are thrown.
   */
  tick(): Promise<void>;
  /** What fails from now on fails because it is ended, and is no fault. */
  stop(): void;
};

/** Others come to their turn, and a gateway that stops is not kept waiting. */
const sendsAtOnce = 10;

/** Sends what was ordered, one transaction after the other, whichever process does it. */
export function createSender(deps: SendDeps): Sender {
  const { db, pi, now, log } = deps;
  const holder = newId(now());
  let isSignerKnown = false;
  let isStopping = false;

  /** True when there may be more to do at once. */
  async function step(): Promise<boolean> {
    // Held for as long as it goes on.
    if (!(await takeLane(db, pi, holder))) throw new LaneLost();
    const open = await openEnvelope(db, pi);
    if (open) return await follow(deps, open);
    const next = await nextSend(db, pi, now());
    if (!next) return false;
    const ready = await openAtPlatform(deps, next);
    const made = ready && (await start(deps, holder, ready));
    if (made) {
      log.info({ send: made.sendId, hash: made.hash }, 'a send is handed in');
      await handIn(deps, made);
    }
    return true;
  }

  async function round(): Promise<void> {
    if (!isSignerKnown) {
      await requireSigner(deps);
      isSignerKnown = true;
    }
    // Each takes two steps: it is handed in, and what became of it is seen.
    for (let steps = 0; steps < 2 * sendsAtOnce; steps++) if (!(await step())) break;
    await closeAtPlatform(deps);
  }

  return {
    async tick() {
      if (!(await takeLane(db, pi, holder))) return;
      try {
        await round();
        await noteLaneFault(db, pi, null);
      } catch (error) {
        if (error instanceof LaneLost || isStopping) return;
        if (!(error instanceof EndpointFault || error instanceof SendFault)) throw error;
        if (await noteLaneFault(db, pi, error.message))
          log.warn({ fault: error.message }, 'sending needs attention');
      } finally {
        // Without the database it is left all the same, a little later.
        await leaveLane(db, pi, holder).catch(() => {});
      }
    },
    stop() {
      isStopping = true;
    },
  };
}
