import { identityErrors } from '../identity/errors.ts';
import { type ErrorRow, kitErrors, type Refusal } from '../kit/errors.ts';
import type { Html } from '../kit/http/html.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { paymentErrors } from '../payments/payment/errors.ts';
import { payoutErrors } from '../payouts/payout/errors.ts';
import { walletErrors } from '../wallets/errors.ts';
import type { WalletMessages } from './messages/words.ts';

/** The notices that a redirect may name, each the key of its text. */
export const noticeKeys = [
  'resetDone',
  'confirmDone',
  'forgottenMailed',
  'emailSaved',
  'emailRemoved',
  'passwordChanged',
  'passwordWeak',
  'factorStarted',
  'factorEnded',
  'passkeyAdded',
  'passkeyRemoved',
  'sessionEnded',
  'sessionsEnded',
  'sent',
  'withdrawOrdered',
  'withdrawCancelled',
  'addressAdded',
  'addressRemoved',
] as const satisfies readonly (keyof WalletMessages)[];
export type NoticeKey = (typeof noticeKeys)[number];

/** What a page shows at its top: what was done, or why a form was refused. */
export type Notes = { notice: string | undefined; fault: Html | null };

/** The faults that a page shows in words of its own. */
export type FaultKey =
  | Extract<keyof WalletMessages, `fault${string}`>
  | 'passkeyFailed'
  | 'passkeyLast'
  | 'signUpClosed';

const faultsOf = new Map<ErrorRow, FaultKey>([
  [walletErrors.username_invalid, 'faultName'],
  [walletErrors.username_taken, 'faultNameTaken'],
  [walletErrors.invitation_needed, 'faultInvitationNeeded'],
  [walletErrors.invitation_used, 'faultInvitation'],
  [walletErrors.sign_up_closed, 'signUpClosed'],
  [identityErrors.password_too_short, 'faultPasswordShort'],
  [identityErrors.password_too_long, 'faultPasswordLong'],
  [identityErrors.password_common, 'faultPasswordCommon'],
  [kitErrors.rate_limited, 'faultTries'],
  [walletErrors.user_not_found, 'faultTo'],
  [walletErrors.username_required, 'faultTo'],
  [walletErrors.sent_to_oneself, 'faultSelf'],
  [walletErrors.balance_short, 'faultShort'],
  [walletErrors.wallet_frozen, 'faultFrozen'],
  [walletErrors.receiver_frozen, 'faultReceiver'],
  [walletErrors.wallet_limit, 'faultLimit'],
  [walletErrors.network_unread, 'faultNetwork'],
  [paymentErrors.not_possible, 'faultPaid'],
  [ledgerErrors.insufficient_balance, 'faultShort'],
  [ledgerErrors.amount_not_positive, 'faultAmount'],
  [payoutErrors.below_minimum_payout, 'faultAmount'],
  [payoutErrors.asset_unsupported, 'faultNetwork'],
  [payoutErrors.to_required, 'faultAddress'],
  [payoutErrors.address_unknown, 'faultAddressUnknown'],
  [payoutErrors.address_rests, 'faultAddressRests'],
  [payoutErrors.payout_not_cancellable, 'faultCancel'],
]);

/** The text for a refusal; most are ones that people can cause. */
export function faultOf({ row, message }: Refusal): FaultKey {
  if (row === kitErrors.field_invalid && /^(?:to|memo) /.test(message)) return 'faultAddress';
  if (row === kitErrors.field_invalid && message.startsWith('email')) return 'faultEmail';
  if (row === kitErrors.field_invalid && message.startsWith('username')) return 'faultName';
  if (row === kitErrors.field_invalid && message.startsWith('password')) return 'faultPasswordShort';
  return faultsOf.get(row) ?? 'faultOther';
}

/** A refusal of a form that comes from the pages themselves. */
export class Fault extends Error {
  readonly key: FaultKey;
  readonly status: number;
  constructor(key: FaultKey, status: number) {
    super(key);
    this.key = key;
    this.status = status;
  }
}
