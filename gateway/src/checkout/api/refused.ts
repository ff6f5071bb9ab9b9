import { kitErrors, Refusal } from '../../kit/errors.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import { walletErrors } from '../../wallets/errors.ts';
import { mixChoiceOf, mixChoiceQuery } from '../mix-choice.ts';
import { isClaimFault, maxTransaction, type NoticeSlug } from '../notices.ts';
import { type Fields, text } from './form-fields.ts';

/** Does the work and turns a refusal that a customer can cause into a notice. Other errors are thrown on. */
export async function noticeOf(work: () => Promise<NoticeSlug | undefined>): Promise<NoticeSlug | undefined> {
  return await work().catch((error) => noticeAnswer(error).notice);
}

export function noticeAnswer(error: unknown): { notice: NoticeSlug } {
  if (!(error instanceof Refusal)) throw error;
  if (error.row === ledgerErrors.insufficient_balance) return { notice: 'insufficient_funds' };
  if (error.row === walletErrors.pay_in_wallet) return { notice: 'pay_in_wallet' };
  if (error.row === walletErrors.wallet_asked) return { notice: 'wallet_asked' };
  if (error.row === kitErrors.rate_limited || error.row === paymentErrors.appeal_unanswered)
    return { notice: 'too_many_requests' };
  if (error.row === paymentErrors.no_rate) return { notice: 'no_rate' };
  if (error.row === kitErrors.field_invalid) return { notice: 'not_playable' };
  if (error.row.status === 409) return { notice: 'not_possible' };
  throw error;
}

/** What the customer wrote in a refused form, which the page shows again; null: the form is shown empty. */
export function refusedFields(
  action: string,
  fields: Fields,
  notice: NoticeSlug | undefined,
): [string, string][] | null {
  if (notice === undefined) return null;
  if (action === 'simulate') {
    const mixChoice = mixChoiceOf(fields);
    return mixChoice && mixChoiceQuery(mixChoice);
  }
  if (action !== 'claim' || !isClaimFault(notice)) return null;
  return [['transaction', (text(fields.transaction)?.trim() ?? '').slice(0, maxTransaction)]];
}
