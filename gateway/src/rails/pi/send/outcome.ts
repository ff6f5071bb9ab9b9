import { after } from '../../../kit/clock.ts';
import { type Tx, transaction } from '../../../kit/db/db.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import { piCodeOf } from '../horizon/network.ts';
import type { SendDeps } from './deps.ts';
import { type Envelope, endEnvelope, failSend, findSend, requeue } from './record.ts';

/** The result codes after which no later try can succeed, in words. */
const forGood: Readonly<Record<string, string>> = {
  op_malformed: 'The network takes no such payment',
  op_no_destination: 'The account that it was to go to does not exist',
  op_line_full: 'The account that it was to go to cannot hold so much',
};

const firstPauseSeconds = 10;
const longestPauseSeconds = 3600;

/** How long an order waits after a number of tries that failed. */
function pauseSeconds(tries: number): number {
  return Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(tries, 9));
}

/** The end of a transaction that moved nothing: it failed in a ledger, or can never get into one. */
export type Ended = { state: 'failed'; fee: bigint } | { state: 'void'; fee: null };

/** Ends a transaction that moved nothing, and fails or requeues its order in the same commit. The reader reports its fee. */
export async function endUnapplied(deps: SendDeps, envelope: Envelope, ended: Ended): Promise<void> {
  const { db, now, log } = deps;
  const codes = envelope.refusal?.split(' ') ?? [];
  const why = codes.map((code) => forGood[code]).find((words) => words !== undefined);
  await transaction(db, async (tx) => {
    if (!(await endEnvelope(tx, envelope.hash, { ...ended, at: now() }))) return;
    if (why !== undefined) {
      await endOrder(tx, deps, envelope.sendId, why);
      return;
    }
    const { tries } = await findSend(tx, envelope.sendId);
    const fault = `It was tried in vain: ${envelope.refusal ?? 'it did not get into a ledger in time'}`;
    await putBack(tx, deps, { id: envelope.sendId, tries }, fault);
  });
  log.warn(
    { send: envelope.sendId, hash: envelope.hash, ...ended, said: envelope.refusal },
    'a send moved nothing',
  );
}

/** Ends an order as failed, and reports it. Not for an order with a transaction under way. */
export async function endOrder(
  tx: Tx,
  { pi, report, now }: Pick<SendDeps, 'pi' | 'report' | 'now'>,
  id: string,
  why: string,
): Promise<void> {
  const at = now();
  if (!(await failSend(tx, id, why, at))) return;
  await report(tx, { rail: piCodeOf(pi), id, state: 'failed', transaction: null, why, at });
}

/**
 * Requeues an order that cannot be carried out now, for a reason in words. Throws LeaseLost: another holder may have
 * signed it meanwhile.
 */
export async function postpone(
  deps: SendDeps,
  lock: Lease,
  send: { id: string; tries: number },
  fault: string,
): Promise<void> {
  await writeUnderLease(deps.db, lock, (tx) => putBack(tx, deps, send, fault));
}

/** Ends an order of which nothing was signed. Throws LeaseLost, as `postpone`. */
export async function giveUp(deps: SendDeps, lock: Lease, id: string, why: string): Promise<void> {
  await writeUnderLease(deps.db, lock, (tx) => endOrder(tx, deps, id, why));
}

async function putBack(
  tx: Tx,
  { pi, report, now }: SendDeps,
  { id, tries }: { id: string; tries: number },
  fault: string,
): Promise<void> {
  const at = now();
  await requeue(tx, id, { fault, retryAt: after(at, pauseSeconds(tries)) });
  await report(tx, { rail: piCodeOf(pi), id, state: 'waiting', transaction: null, why: fault, at });
}
