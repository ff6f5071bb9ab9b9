import { type Static, Type } from 'typebox';
import { Mode } from '../../identity/console/answers/integrations.ts';
import { Decimal, orNull } from '../../kit/http/answers.ts';
import { currencies } from '../../money/assets.ts';

// What waits for a person, and how the installation earns. Counts end at `counted_up_to`.

const count = Type.Integer();

/** `endpoints`: those that Florin disabled, and active ones whose last attempts failed. */
export const MerchantAttention = Type.Object({
  counted_up_to: count,
  appeals: count,
  payouts: count,
  endpoints: count,
});
export type MerchantAttention = Static<typeof MerchantAttention>;

/**
 * `payouts`: those that need an operator; `deliveries`: those that failed for good; `rates`: pairs of offered currencies
 * without a rate, and stable coins that are away from 1 USD.
 */
export const OperatorAttention = Type.Object({
  counted_up_to: count,
  approvals: count,
  proposals: count,
  unmatched: count,
  disputes: count,
  payouts: count,
  deliveries: count,
  rates: count,
});
export type OperatorAttention = Static<typeof OperatorAttention>;

const CurrencyVolume = Type.Object({
  currency: Type.Enum(currencies),
  payments: count,
  completed: count,
  /** Of the completed payments, at their nominal amounts. */
  amount: Decimal,
});

const MonthFees = Type.Object({
  asset: Type.String(),
  currency: orNull(Type.Enum(currencies)),
  network: orNull(Type.String()),
  this_month: Decimal,
  last_month: Decimal,
});

/** Payments that were created in the last `days` days, and fees of this calendar month (UTC) and the one before. */
export const OperatorOverview = Type.Object({
  mode: Mode,
  days: count,
  volume: Type.Array(CurrencyVolume),
  fees: Type.Array(MonthFees),
});
export type OperatorOverview = Static<typeof OperatorOverview>;
