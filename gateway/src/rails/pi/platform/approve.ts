import { type Tx, transaction } from '../../../kit/db/db.ts';
import { addPlatformMemo, memoOfOwner } from '../memos/memos.ts';
import { advancePayment } from './advance.ts';
import { answerOf, type PiAnswer, type PiMessageKey, refusedFor } from './answer.ts';
import type { PlatformDeps } from './deps.ts';
import { isRefusal } from './fault.ts';
import type { PlatformPayment } from './payment.ts';
import { findKnown, insertKnown, type Known, noteApproved, otherAttempts } from './store.ts';

/** The payment whose page asks. */
export type Asked = { paymentId: string; reference: string };

/** What to do about a platform payment that waits for approval. */
type Verdict =
  | { to: 'approve' }
  /** Another one must be cancelled first. */
  | { to: 'clear'; other: Known }
  /** It will not be approved, and is cancelled so that the customer's next one need not wait for it. */
  | { to: 'cancel'; why: PiMessageKey }
  | { to: 'answer'; answer: PiAnswer };

/** More tries would mean that more than two customers pay one payment at once. */
const mostTries = 3;

/**
 * Approves a platform payment, after which the customer may sign: what the platform says of it is compared with what is
 * to be paid. May be called again and again. Throws EndpointFault where the platform gave no answer.
 */
export async function approve(
  deps: PlatformDeps,
  asked: Asked,
  identifier: string,
  signal?: AbortSignal,
): Promise<PiAnswer> {
  const record = await recordOf(deps, identifier, signal);
  if (!record) return refusedFor('pi_unknown');
  for (let tries = 1; ; tries++) {
    const verdict = await transaction(deps.db, (tx) => decide(tx, deps, asked, record));
    switch (verdict.to) {
      case 'answer':
        return verdict.answer;
      case 'cancel':
        return await refuseAndCancel(deps, identifier, verdict.why, signal);
      case 'approve':
        return await approveNow(deps, identifier, signal);
      case 'clear':
        await advancePayment(deps, verdict.other, { cancel: true, signal });
        if (tries === mostTries) return await refuseAndCancel(deps, identifier, 'pi_other_open', signal);
    }
  }
}

/** The platform's record of an identifier; null: there is none. */
export async function recordOf(
  { platform }: PlatformDeps,
  identifier: string,
  signal?: AbortSignal,
): Promise<PlatformPayment | null> {
  return await platform.payment(identifier, signal).catch((fault) => {
    if (isRefusal(fault) && fault.status === 404) return null;
    throw fault;
  });
}

/** Whether a payment at the platform was made for this reference of ours, by a customer. */
export function isFor(record: PlatformPayment, reference: string): boolean {
  return record.direction === 'user_to_app' && record.metadata.reference === reference;
}

/** Decides, under the payment's lock, and notes the identifier before anybody can pay with it. */
async function decide(
  tx: Tx,
  deps: PlatformDeps,
  { paymentId, reference }: Asked,
  record: PlatformPayment,
): Promise<Verdict> {
  const { identifier, units } = record;
  const known = await findKnown(tx, identifier);
  if (!isFor(record, reference) || (known && known.paymentId !== paymentId)) {
    return { to: 'answer', answer: refusedFor('pi_unknown') };
  }
  if (known && known.state !== 'created') return { to: 'answer', answer: answerOf(known.state) };
  if (record.cancelled) return { to: 'answer', answer: { status: 'cancelled' } };
  // We did not approve it, and it has ended or is paid already.
  if (!known && (record.completed || record.txid !== null)) {
    return { to: 'answer', answer: refusedFor('pi_unknown') };
  }
  const payable = await deps.open(tx, paymentId);
  if (!payable) return { to: 'cancel', why: 'pi_not_payable' };
  if (units === null || units !== payable.units || !(await isRight(tx, deps, paymentId, record))) {
    return { to: 'cancel', why: 'pi_mismatch' };
  }
  const [other] = await otherAttempts(tx, paymentId, identifier);
  if (other?.state === 'paid' || other?.state === 'completed') return { to: 'cancel', why: 'pi_other_paid' };
  if (other) return { to: 'clear', other };
  if (known) return { to: 'approve' };
  const { isTest = false } = deps.pi;
  await addPlatformMemo(tx, { paymentId, identifier, isTest }, deps.now());
  const { userUid } = record;
  await insertKnown(tx, { identifier, paymentId, units, userUid, isTest, until: payable.until }, deps.now());
  return { to: 'approve' };
}

/** Whether it pays our account, on our network, and shows the customer the memo of this payment. */
async function isRight(
  tx: Tx,
  { pi }: PlatformDeps,
  paymentId: string,
  { to, network, memo }: PlatformPayment,
): Promise<boolean> {
  return to === pi.account && network === pi.passphrase && memo === (await memoOfOwner(tx, paymentId, pi));
}

async function approveNow(
  { db, platform }: PlatformDeps,
  identifier: string,
  signal: AbortSignal | undefined,
): Promise<PiAnswer> {
  let fault: unknown = null;
  const record = await platform.approve(identifier, signal).catch((error) => {
    fault = error;
    // It may have been approved anyway, now or before.
    return platform.payment(identifier, signal);
  });
  if (record.cancelled) return { status: 'cancelled' };
  if (record.approved) return answerOf(await noteApproved(db, identifier));
  if (isRefusal(fault)) return refusedFor('pi_refused');
  throw fault ?? new Error(`${platform.name} answers an approval without it`);
}

/**
 * Refuses a platform payment and cancels it, so that the customer's next one need not wait for it. One that turns out to
 * be paid already is completed instead.
 */
async function refuseAndCancel(
  deps: PlatformDeps,
  identifier: string,
  why: PiMessageKey,
  signal: AbortSignal | undefined,
): Promise<PiAnswer> {
  const known = await findKnown(deps.db, identifier);
  if (known) {
    const state = await advancePayment(deps, known, { cancel: true, signal });
    return state === 'paid' || state === 'completed' ? answerOf(state) : refusedFor(why);
  }
  await deps.platform.cancel(identifier, signal).catch((error) => {
    deps.log.warn({ err: error, identifier }, 'a payment at the Pi platform could not be cancelled');
  });
  return refusedFor(why);
}
