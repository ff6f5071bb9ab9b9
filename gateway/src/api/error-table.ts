import { identityErrors } from '../identity/errors.ts';
import { type ErrorRow, kitErrors } from '../kit/errors.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { paymentErrors } from '../payments/errors.ts';
import { walletErrors } from '../wallets/errors.ts';
import { webhookErrors } from '../webhooks/errors.ts';

/** Every error that a client can meet, once; the reference and the docs are made of it. */
export const errorTable: readonly ErrorRow[] = [
  kitErrors,
  identityErrors,
  ledgerErrors,
  paymentErrors,
  webhookErrors,
  walletErrors,
].flatMap((rows) => Object.values(rows));
