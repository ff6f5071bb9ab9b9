import { type Static, Type } from 'typebox';

// What waits for a person. Counts end at `counted_up_to`.

const count = Type.Integer();

/** `refunds`: those that wait for a transfer out of an own address; `endpoints`: those that Florin disabled, and active ones whose last attempts failed. */
export const MerchantAttention = Type.Object({
  counted_up_to: count,
  appeals: count,
  payouts: count,
  refunds: count,
  endpoints: count,
});
export type MerchantAttention = Static<typeof MerchantAttention>;

/** `moves`: what left a treasury or vault without an order; `payouts`: those that need an operator; `deliveries`: those that failed for good. */
const ofMode = { unmatched: count, moves: count, appeals: count, payouts: count, deliveries: count };

/**
 * What waits in live mode, and apart from it what waits in test mode. `rates`: pairs of offered currencies without a rate, and stable
 * coins that are away from 1 USD. `faults`: those of the newest report of the doctor. `backups`: faults of scheduled backups and of
 * trying them. `setup_steps`: what is left of the first run.
 */
export const OperatorAttention = Type.Object({
  counted_up_to: count,
  approvals: count,
  proposals: count,
  rates: count,
  faults: count,
  backups: count,
  setup_steps: count,
  ...ofMode,
  test: Type.Object(ofMode),
});
export type OperatorAttention = Static<typeof OperatorAttention>;
