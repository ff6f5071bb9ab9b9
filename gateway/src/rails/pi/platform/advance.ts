import { isUnmatched } from '../movements/records.ts';
import type { PlatformDeps } from './deps.ts';
import { isRefusal } from './fault.ts';
import { findOnChain, findUnread, type OnChain } from './on-chain.ts';
import type { PlatformPayment } from './payment.ts';
import {
  type Known,
  noteApproved,
  noteCompleted,
  noteEnded,
  notePaid,
  noteRefusal,
  type PlatformState,
} from './store.ts';

export type AdvanceOptions = {
  /** Ends it where no transaction is known. */
  cancel?: boolean;
  signal?: AbortSignal | undefined;
};

/**
 * Brings what we know of a platform payment up to what the platform knows, and one step further: what was paid is
 * completed. Every step can be done again, by several at once, and can be the last one of a process. Answers its
 * state; throws EndpointFault where the platform or the network gave no answer.
 */
export async function advance(
  deps: PlatformDeps,
  known: Known,
  { cancel = false, signal }: AdvanceOptions = {},
): Promise<PlatformState> {
  const record = await deps.platform.payment(known.identifier, signal).catch(async (fault) => {
    if (isRefusal(fault)) return await refused(deps, known, fault.message);
    throw fault;
  });
  if (typeof record === 'string') return record;
  const over = await end(deps, known, record);
  if (over) return over;
  const isToEnd = cancel && record.txid === null;
  const txid =
    (await paidWith(deps, known, record, signal)) ??
    (isToEnd && record.approved ? await unreadOf(deps, known, signal) : null);
  if (txid !== null) {
    const paid: Known = { ...known, state: 'paid', txid };
    return await act(deps, paid, () => deps.platform.complete(known.identifier, txid, signal), signal);
  }
  if (isToEnd) {
    return await act(deps, known, () => deps.platform.cancel(known.identifier, signal), signal);
  }
  if (record.approved && known.state === 'created') return await noteApproved(deps.db, known.identifier);
  return known.state;
}

/** What the platform says is over, is over here; null: it is not. */
async function end(
  deps: PlatformDeps,
  { identifier, txid }: Known,
  record: PlatformPayment,
): Promise<PlatformState | null> {
  const transaction = record.txid ?? txid;
  if (record.completed && transaction !== null) return await noteCompleted(deps, identifier, transaction);
  if (!record.cancelled) return null;
  return await noteEnded(deps, identifier, 'The Pi platform says that it was cancelled');
}

/**
 * The transaction that paid it, as the network shows; null: none yet. Where the platform knows one, no other will be
 * confirmed; ours was looked at before it was noted.
 */
async function paidWith(
  deps: PlatformDeps,
  known: Known,
  { txid }: PlatformPayment,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (txid === null || txid === known.txid) return known.txid;
  return (await lookForPaid(deps, known, txid, signal)) === 'paid' ? txid : null;
}

/**
 * What paid it already, though neither the platform nor our reader knows; null: nothing. Its memo is on the chain for
 * all to see, so that anybody can ask for it to be cancelled.
 */
async function unreadOf(
  deps: PlatformDeps,
  known: Known,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const txid = await findUnread(deps.horizons, deps.pi.account, known, signal);
  if (txid === null || (await isUnmatched(deps.db, txid, known.units))) return null;
  await noteFound(deps, known, txid);
  return txid;
}

/** Our reader is sure to find it as well, and should now. */
async function noteFound(
  { db, wake, now }: PlatformDeps,
  { identifier }: Known,
  txid: string,
): Promise<void> {
  await notePaid(db, identifier, txid, now());
  wake();
}

/**
 * Looks a transaction of a platform payment up on the network, and notes the one that paid it. A deposit
 * that was unmatched before the payment was known stays so: the platform must not confirm what no payment is
 * credited with.
 */
export async function lookForPaid(
  deps: PlatformDeps,
  known: Known,
  txid: string,
  signal: AbortSignal | undefined,
): Promise<OnChain> {
  const { identifier, units } = known;
  const shown = await findOnChain(deps.horizons, deps.pi.account, { txid, identifier, units }, signal);
  if (shown !== 'paid') return shown;
  if (await isUnmatched(deps.db, txid, units)) return 'other';
  await noteFound(deps, known, txid);
  return shown;
}

/**
 * Asks the platform for the last step. Where that fails it may have been done all the same, now or before: its
 * record says so.
 */
async function act(
  deps: PlatformDeps,
  known: Known,
  call: () => Promise<PlatformPayment>,
  signal: AbortSignal | undefined,
): Promise<PlatformState> {
  let fault: unknown = null;
  const answer = await call().catch((error) => {
    fault = error;
    return deps.platform.payment(known.identifier, signal);
  });
  const over = await end(deps, known, answer);
  if (over) return over;
  // Signed while it was to be cancelled: the next look completes it.
  if (answer.txid !== null && known.txid === null) return known.state;
  if (isRefusal(fault)) return await refused(deps, known, fault.message);
  if (fault !== null) throw fault;
  return known.state;
}

/** What the platform refuses again after a while is over. */
async function refused(deps: PlatformDeps, known: Known, why: string): Promise<PlatformState> {
  const isForGood = await noteRefusal(deps.db, known.identifier, why, deps.now());
  return isForGood ? await noteEnded(deps, known.identifier, why) : known.state;
}
