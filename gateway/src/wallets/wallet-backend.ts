import type { IntegrationId, Mode } from '../identity/integration.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Answer, IdempotencyKey } from '../kit/http/idempotency.ts';
import type { Caller, Party } from '../ledger/ledger.ts';
import type { AssetCode } from '../money/money.ts';
import type { AllowanceUse } from './allowance.ts';

/** A credit to a user's wallet out of a business balance. */
export type Funding = {
  integrationId: IntegrationId;
  /** The user reads it in the notice of the funding. */
  integrationName: string;
  mode: Mode;
  username: string;
  asset: AssetCode;
  /** At the asset's own scale. */
  units: bigint;
  /** What it takes of daily limits: of the key's, then of the integration's, where there are any. */
  uses: readonly AllowanceUse[];
  key: IdempotencyKey | null;
  /** Who asks for it, where an API key does: kept with the money. */
  caller?: Caller | undefined;
  /** The body to answer, and to replay, when it has been done. */
  response: string;
  /** Writes what else belongs to it, in the transaction that books it. Not called by `reconcile`. */
  record?: (tx: Tx) => Promise<void>;
};

/** Where the users' wallets are: in this installation's own ledger, or in another system. */
export type WalletBackend = {
  /**
   * Takes the units from the business balance and gives them to the user, or refuses and does neither:
   * `user_not_found`, `daily_limit`, `funding_limit`, `insufficient_balance`, `backend_unreachable`.
   */
  fund(funding: Funding): Promise<Answer>;
  /** Whether a user of this name has a wallet. Throws `backend_unreachable`. */
  hasUser(username: string): Promise<boolean>;
  /** The account that stands for a user's wallet. Throws `user_not_found`, `backend_unreachable`. */
  accountOf(username: string): Promise<Party>;
  /** Asks the other system for what was approved, and ends what was left open by answers that never came; returns how many. */
  reconcile(): Promise<number>;
};
