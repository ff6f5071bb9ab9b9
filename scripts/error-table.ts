import { identityErrors } from '../gateway/src/identity/errors.ts';
import { type ErrorRow, kitErrors } from '../gateway/src/kit/errors.ts';
import { ledgerErrors } from '../gateway/src/ledger/errors.ts';
import { noticeErrors } from '../gateway/src/notices/errors.ts';
import { paymentErrors } from '../gateway/src/payments/payment/errors.ts';
import { payoutErrors } from '../gateway/src/payouts/payout/errors.ts';
import { rateErrors } from '../gateway/src/rates/errors.ts';
import { directErrors } from '../gateway/src/treasury/direct/errors.ts';
import { treasuryErrors } from '../gateway/src/treasury/errors.ts';
import { walletErrors } from '../gateway/src/wallets/errors.ts';
import { webhookErrors } from '../gateway/src/webhooks/errors.ts';

/** Every error that a client can get, for the page of the docs; the API's document takes them from the slices. */
export const errorTable: readonly ErrorRow[] = [
  kitErrors,
  identityErrors,
  ledgerErrors,
  paymentErrors,
  payoutErrors,
  treasuryErrors,
  directErrors,
  webhookErrors,
  noticeErrors,
  walletErrors,
  rateErrors,
].flatMap((rows) => Object.values(rows));
