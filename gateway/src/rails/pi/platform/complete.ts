import { advancePayment, lookForPaid } from './advance.ts';
import { answerOf, type PiAnswer, refusedFor } from './answer.ts';
import { type Asked, isFor, recordOf } from './approve.ts';
import type { PlatformDeps } from './deps.ts';
import { findKnown, type Known, type PlatformState } from './store.ts';

const hashPattern = /^[0-9a-f]{64}$/;
const ended: ReadonlySet<PlatformState> = new Set(['completed', 'cancelled', 'refused']);

/**
 * Completes a platform payment whose customer has signed and sent. The transaction is looked up on the network, and then
 * reported to the platform; until the platform agrees nothing is delivered, and the worker goes on asking. Throws
 * EndpointFault where one of them gave no answer.
 */
export async function complete(
  deps: PlatformDeps,
  { paymentId }: Asked,
  { identifier, txid }: { identifier: string; txid: string },
  signal?: AbortSignal,
): Promise<PiAnswer> {
  const hash = txid.toLowerCase();
  const known = await findKnown(deps.db, identifier);
  if (known?.paymentId !== paymentId) return refusedFor('pi_unknown');
  if (!hashPattern.test(hash)) return refusedFor('pi_wrong_transaction');
  if (known.state === 'completed' || known.state === 'refused') return answerOf(known.state);
  const shown = await lookForPaid(deps, known, hash, signal);
  if (shown === 'other') return refusedFor('pi_wrong_transaction');
  // One that we cancelled may have been signed just before.
  const now: Known = shown === 'paid' ? { ...known, state: 'paid', txid: hash } : known;
  return afterSigning(await advancePayment(deps, now, { signal }));
}

/** After signing, an approved one is pending until the platform confirms it. */
const afterSigning = (state: PlatformState): PiAnswer =>
  state === 'approved' ? { status: 'pending' } : answerOf(state);

/** Cancels a platform payment that its customer gave up, in the wallet or before it. */
export async function cancel(
  deps: PlatformDeps,
  { paymentId, reference }: Asked,
  identifier: string,
  signal?: AbortSignal,
): Promise<PiAnswer> {
  const known = await findKnown(deps.db, identifier);
  if (known)
    return known.paymentId === paymentId ? await resolve(deps, known, signal) : refusedFor('pi_unknown');
  return await resolveUnknown(deps, identifier, async (found) => found === reference, signal);
}

/**
 * Ends a platform payment that the SDK found incomplete, of this page or of an earlier one: the customer's next one has
 * to wait for it. One that was paid is completed for its payment; any other is cancelled.
 */
export async function incomplete(
  deps: PlatformDeps,
  identifier: string,
  signal?: AbortSignal,
): Promise<PiAnswer> {
  const known = await findKnown(deps.db, identifier);
  if (known) return await resolve(deps, known, signal);
  return await resolveUnknown(deps, identifier, (reference) => deps.isOurs(deps.db, reference), signal);
}

async function resolve(deps: PlatformDeps, known: Known, signal: AbortSignal | undefined): Promise<PiAnswer> {
  if (ended.has(known.state)) return answerOf(known.state);
  return afterSigning(await advancePayment(deps, known, { cancel: true, signal }));
}

/** Cancels one that we never approved, and that therefore is not paid, if it is for a payment of ours. */
async function resolveUnknown(
  deps: PlatformDeps,
  identifier: string,
  isOurs: (reference: string) => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<PiAnswer> {
  const record = await recordOf(deps, identifier, signal);
  const { reference } = record?.metadata ?? {};
  if (!record || typeof reference !== 'string' || !isFor(record, reference) || !(await isOurs(reference))) {
    return refusedFor('pi_unknown');
  }
  if (record.cancelled) return { status: 'cancelled' };
  if (record.completed || record.txid !== null) return refusedFor('pi_unknown');
  const { cancelled } = await deps.platform.cancel(identifier, signal);
  return { status: cancelled ? 'cancelled' : 'pending' };
}
