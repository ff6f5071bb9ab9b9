import type { FastifyRequest } from 'fastify';
import type { Guards } from '../../identity/keys/guards.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { type ErrorRow, kitErrors, Refusal } from '../../kit/errors.ts';
import { isCleanText } from '../../kit/http/fields.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import { type ClaimDeps, claimRefund } from '../../payments/refunds/claim.ts';
import { proofOf, type Stated, statementOf } from '../../payments/refunds/proof.ts';
import { isSender } from '../../payments/refunds/senders.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import type { IsContract } from '../../rails/evm/rpc/holds-code.ts';
import type { SignedByContract } from '../../rails/evm/signatures/signed-by-contract.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { NoticeSlug, PlainNotice } from '../notices.ts';
import type { ClaimDraft, ClaimProof, OwedLine } from '../owed.ts';

export type RefundClaimDeps = ClaimDeps & {
  db: Database;
  guards: Guards;
  isContract: IsContract;
  signedByContract: SignedByContract;
  payUrl: string;
};

/** The answer to the form: the form again with its draft, or the page with a notice. */
export type ClaimAnswer = { draft: ClaimDraft } | { notice: NoticeSlug };

type Fields = Record<string, unknown>;

/**
 * Takes the form with which a customer claims what is owed to them (contract.md#refunds): `refund` or `asset`, `to`, `memo`, and
 * `signature` where they prove that the money came from them. Nothing is ordered before `confirm` is `yes`. Throws `rate_limited`.
 */
export async function takeClaim(
  deps: RefundClaimDeps,
  payment: CheckoutPayment,
  fields: Fields,
  request: FastifyRequest,
): Promise<ClaimAnswer> {
  const line = lineOf(payment, fields);
  if (!line) return { notice: 'claim_not_owed' };
  await deps.guards.claim(request, payment.id);
  const draft = await draftOf(deps, payment, line, fields);
  if (draft.fault || fields.confirm !== 'yes') return { draft };
  const { to, memo, proof } = draft;
  const claim = {
    ...{ payment, refundId: line.refundId, asset: line.asset, to, memo: memo === '' ? null : memo },
    proved: proof?.proved ? { proof: proof.proved, host: hostOf(deps) } : null,
  };
  try {
    const { status } = await transaction(deps.db, (tx) => claimRefund(tx, deps, claim));
    return { notice: status === 'awaiting_approval' ? 'claim_awaits' : 'claim_ordered' };
  } catch (error) {
    const notice = error instanceof Refusal ? noticeOf(error.row) : null;
    if (notice === null) throw error;
    return { notice };
  }
}

/** What the form claims: a refund that waits for an address, or what is owed in an asset without one. */
function lineOf({ owed }: CheckoutPayment, fields: Fields): OwedLine | undefined {
  const refund = textOf(fields.refund);
  const asset = textOf(fields.asset);
  return owed.find((line) =>
    refund === '' ? line.refundId === null && line.asset === asset : line.refundId === refund,
  );
}

async function draftOf(
  deps: RefundClaimDeps,
  payment: CheckoutPayment,
  line: OwedLine,
  fields: Fields,
): Promise<ClaimDraft> {
  const { db, faultOf, isContract } = deps;
  const [to, memo] = [textOf(fields.to), textOf(fields.memo)];
  const { asset } = line;
  const draft = { line, to, memo, isSender: false, isContract: null, proof: null };
  if (to === '') return { ...draft, fault: 'claim_address_missing' };
  const wrong = faultOf(payment.mode)({ asset, to, memo: memo === '' ? null : memo });
  if (wrong)
    return { ...draft, fault: wrong.field === 'to' ? 'claim_address_invalid' : 'claim_memo_invalid' };
  const { units } = line;
  const isPayer = await isSender(db, payment, { asset, units }, to);
  const isProvable = line.otherAddress !== 'accepted' && !isPayer && line.signers.length > 0;
  const proof = isProvable ? await claimProof(deps, { payment, asset, units, to }, fields) : null;
  const isRefused = line.otherAddress === 'refused' && !isPayer && !proof?.proved;
  return {
    ...draft,
    fault: proof?.fault ?? (isRefused ? 'claim_needs_payer' : null),
    isSender: isPayer,
    isContract:
      payment.mode === 'live' || deps.assets.modeOf(asset) === 'test' ? await isContract(asset, to) : null,
    proof,
  };
}

async function claimProof(
  deps: RefundClaimDeps,
  claim: Omit<Stated, 'host'>,
  fields: Fields,
): Promise<ClaimProof & { fault: PlainNotice | null }> {
  const stated = { ...claim, host: hostOf(deps) };
  const signature = textOf(fields.signature);
  const shown = { statement: statementOf(deps.assets, stated), signature, proved: null };
  if (signature === '') return { ...shown, fault: null };
  const proof = await proofOf(deps, stated, signature);
  if (proof === 'unread') return { ...shown, fault: 'claim_signature_unread' };
  return proof === null
    ? { ...shown, fault: 'claim_signature_wrong' }
    : { ...shown, proved: proof, fault: null };
}

const hostOf = ({ payUrl }: { payUrl: string }): string => new URL(payUrl).host;

function noticeOf(row: ErrorRow): NoticeSlug | null {
  switch (row) {
    // Another claim was first, or nothing is owed any more.
    case paymentErrors.refund_closed:
    case paymentErrors.nothing_to_refund:
      return 'claim_not_owed';
    case payoutErrors.payouts_unavailable:
    case payoutErrors.payouts_stopped:
    case payoutErrors.below_minimum_payout:
    case ledgerErrors.insufficient_balance:
      return 'claim_unavailable';
    case kitErrors.field_invalid:
      return 'claim_address_invalid';
    default:
      return null;
  }
}

/** A field's text without spaces around it; empty when it is absent, or the database cannot hold it. */
function textOf(value: unknown): string {
  return typeof value === 'string' && isCleanText(value) ? value.trim() : '';
}
