import { identityErrors } from '../identity/errors.ts';
import { type ErrorRow, kitErrors } from '../kit/errors.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { paymentErrors } from '../payments/errors.ts';
import { payoutErrors } from '../payouts/errors.ts';
import { treasuryErrors } from '../treasury/errors.ts';
import { walletErrors } from '../wallets/errors.ts';
import { webhookErrors } from '../webhooks/errors.ts';

/** Every error that a client can get. The API reference and the docs are made from it. */
export const errorTable: readonly ErrorRow[] = [
  kitErrors,
  identityErrors,
  ledgerErrors,
  paymentErrors,
  payoutErrors,
  treasuryErrors,
  webhookErrors,
  walletErrors,
].flatMap((rows) => Object.values(rows));
