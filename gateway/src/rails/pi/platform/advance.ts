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
  /** Whether it is cancelled where no transaction is known. */
  cancel?: boolean;
  signal?: AbortSignal | undefined;
};

/**
 * Notes what the platform knows of a platform payment, and takes the next step: one that was paid is completed. Every
 * step can be repeated, by several processes at once, and after a crash. Returns its state; throws EndpointFault where
 * the platform or the network gave no answer.
 */
export async function advancePayment(
  deps: PlatformDeps,
  known: Known,
  { cancel = false, signal }: AdvanceOptions = {},
): Promise<PlatformState> {
  const record = await deps.platform.payment(known.identifier, signal).catch(async (fault) => {
    if (isRefusal(fault)) return await noteRefused(deps, known, fault.message);
    throw fault;
  });
  if (typeof record === 'string') return record;
  const ended = await noteEnd(deps, known, record);
  if (ended) return ended;
  const isToCancel = cancel && record.txid === null;
  const txid =
    (await paidWith(deps, known, record, signal)) ??
    (isToCancel && record.approved ? await findUnreadPayment(deps, known, signal) : null);
  if (txid !== null) {
    const paid: Known = { ...known, state: 'paid', txid };
    return await askLastStep(
      deps,
      paid,
      () => deps.platform.complete(known.identifier, txid, signal),
      signal,
    );
  }
  if (isToCancel) {
    return await askLastStep(deps, known, () => deps.platform.cancel(known.identifier, signal), signal);
  }
  if (record.approved && known.state === 'created') return await noteApproved(deps.db, known.identifier);
  return known.state;
}

/** Notes that it has ended, where the platform says so; null: it has not. */
async function noteEnd(
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
 * The transaction that paid it, as the network shows; null: none yet. If the platform knows one, it confirms no other.
 * One that we know was looked up before it was noted.
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
 * A transaction that paid it already, and that neither the platform nor our reader knows; null: none. Anybody can ask
 * for a platform payment to be cancelled, since its memo is public on the chain.
 */
async function findUnreadPayment(
  deps: PlatformDeps,
  known: Known,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const txid = await findUnread(deps.horizons, deps.pi.account, known, signal);
  if (txid === null || (await isUnmatched(deps.db, txid, known.units))) return null;
  await noteFound(deps, known, txid);
  return txid;
}

/** Notes the transaction, and wakes the reader, which then finds it too. */
async function noteFound(
  { db, wake, now }: PlatformDeps,
  { identifier }: Known,
  txid: string,
): Promise<void> {
  await notePaid(db, identifier, txid, now());
  wake();
}

/**
 * Looks a transaction of a platform payment up on the network, and notes it where it paid. A deposit that was unmatched
 * before the payment was known stays so: the platform must not confirm money that no payment is credited with.
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
 * Asks the platform for the last step. Where that fails, the step may have been taken anyway, now or before: then the
 * platform's record says so.
 */
async function askLastStep(
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
  const ended = await noteEnd(deps, known, answer);
  if (ended) return ended;
  // It was signed while it was to be cancelled: the next check completes it.
  if (answer.txid !== null && known.txid === null) return known.state;
  if (isRefusal(fault)) return await noteRefused(deps, known, fault.message);
  if (fault !== null) throw fault;
  return known.state;
}

/** Notes a refusal. One that is repeated after a while ends the platform payment. */
async function noteRefused(deps: PlatformDeps, known: Known, why: string): Promise<PlatformState> {
  const isForGood = await noteRefusal(deps.db, known.identifier, why, deps.now());
  return isForGood ? await noteEnded(deps, known.identifier, why) : known.state;
}
