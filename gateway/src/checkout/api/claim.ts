import type { FastifyRequest } from 'fastify';
import type { Guards } from '../../identity/keys/guards.ts';
import { type Database, transaction as inTransaction } from '../../kit/db/db.ts';
import type { StateDeps } from '../../payments/payment/state.ts';
import { claimPaid } from '../../payments/settlement/act.ts';
import { type ClaimOutcome, outcomeOfClaim } from '../../payments/unmatched/claim.ts';
import type { LookUp, LookUpTransaction } from '../../rails/look-up.ts';
import type { Rail } from '../../rails/rail.ts';
import { type CheckoutPayment, isSimulated } from '../checkout-payment.ts';
import type { NoticeSlug } from '../notices.ts';

export type ClaimDeps = StateDeps & {
  db: Database;
  guards: Guards;
  rail: Rail;
  lookUp: LookUpTransaction;
};

/** Any text that may name a transaction. */
const transactionPattern = /^[\x21-\x7e]{8,200}$/;

const noticeOf = {
  found: 'claim_found',
  waiting: 'claim_waiting',
  proved: 'claim_proved',
  unmatched: 'claim_unmatched',
  failed: 'claim_failed',
  other_coin: 'claim_other_coin',
  elsewhere: 'claim_elsewhere',
  unasked: 'claim_unasked',
  unknown: 'claim_unknown',
} as const satisfies Record<LookUp | ClaimOutcome, NoticeSlug>;

/**
 * Takes a claim: the customer names the transaction with which they paid. Stores the claim, looks for the transaction on
 * the chains of a live payment or of the test networks of a test one, and returns the notice for the customer. An operator decides about a claim on an
 * unmatched deposit; the customer may add a proof. Throws `not_possible`, `too_many_claims`, and `rate_limited` after too
 * many look-ups for the payment or from the address.
 */
export async function claimTransaction(
  deps: ClaimDeps,
  payment: CheckoutPayment,
  written: string,
  request: Pick<FastifyRequest, 'ip'>,
): Promise<NoticeSlug> {
  const { db, guards, rail, lookUp } = deps;
  if (written === '') return 'hash_missing';
  if (!transactionPattern.test(written)) return 'not_claimable';
  const made = await rail.destinations(db, payment.id);
  // A test payment has places when its customer has chosen a test network.
  const places = made.filter((place) => !isSimulated(payment, place));
  const isReal = payment.mode === 'live' || places.length > 0;
  const transaction = places.length === 0 ? written : rail.readTransaction(written);
  if (transaction === null) return 'not_claimable';
  await inTransaction(db, (tx) => claimPaid(tx, payment.id, transaction, deps.now()));
  if (!isReal) return 'claim_received';
  await guards.claim(request, payment.id);
  const known = await lookUp(payment.id, transaction);
  if (known === null) return 'claim_received';
  const found = known === 'unmatched' ? await outcomeOfClaim(db, deps.assets, payment, transaction) : known;
  // Payments that share an address differ by their memos.
  if (found === 'elsewhere' && places.some(({ memo }) => memo !== null)) return 'claim_elsewhere_memo';
  return noticeOf[found];
}
