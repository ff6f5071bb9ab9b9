import type { AllowanceClaim } from '../identity/allowance.ts';
import type { IntegrationId, Mode } from '../identity/service.ts';
import type { Tx } from '../kit/db.ts';
import type { Answer, IdempotencyKey } from '../kit/idempotency.ts';
import type { AssetCode } from '../kit/money.ts';

/** A credit to a user's wallet out of a business balance. */
export type Funding = {
  integrationId: IntegrationId;
  mode: Mode;
  username: string;
  asset: AssetCode;
  /** At the asset's own scale. */
  units: bigint;
  /** What it takes of a daily limit; absent where the caller has none. */
  allowance?: AllowanceClaim | undefined;
  key: IdempotencyKey | null;
  /** The body to answer, and to replay, when it has been done. */
  response: string;
  /** Writes what else belongs to it, in the transaction that books it. Not called by `reconcile`. */
  record?: (tx: Tx) => Promise<void>;
};

/** Where the users' wallets are: in this installation's own ledger, or in another system. */
export type WalletBackend = {
  /**
   * Takes the units from the business balance and gives them to the user, or refuses and does neither:
   * `user_not_found`, `insufficient_balance`, `daily_limit`, `backend_unreachable`.
   */
  fund(funding: Funding): Promise<Answer>;
  /** Ends what was left open by answers that never came; returns how many. */
  reconcile(): Promise<number>;
};
