import { sealedFactors } from '../identity/accounts/sealed-factors.ts';
import { sealedKeys } from '../identity/keys/keys.ts';
import { sealedLetters } from '../identity/mail/mail.ts';
import { type SealedColumn, sealedColumn } from '../kit/seal.ts';
import { sealedSubscriptions } from '../notices/push/devices.ts';
import { sealedVapid } from '../notices/push/vapid.ts';
import { sealedUserFactors } from '../wallets/accounts/factors.ts';
import { sealedHeaders } from '../webhooks/endpoints/headers.ts';
import { sealedOldSecrets, sealedSecrets } from '../webhooks/endpoints/sign.ts';

/** Secrets that were derived from a master key, by purpose. */
export const sealedDerived = sealedColumn('derived_keys', 'sealed', 'purpose', 'text');

/** Every column whose values are sealed under the master key. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedKeys,
  sealedSecrets,
  sealedOldSecrets,
  sealedHeaders,
  ...sealedFactors,
  sealedLetters,
  sealedUserFactors,
  sealedSubscriptions,
  sealedVapid,
  sealedDerived,
];
