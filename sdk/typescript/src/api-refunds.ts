// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

/** Body of `refunds.create`. Without `amount`: all that can be refunded; without `to` the customer is asked. */
export type RefundInput = {
  /** A decimal string at the scale of the asset, or a JSON number; all that can be refunded, if absent. */
  amount?: string | number | undefined;
  /** Of a payment with a price, in place of `amount`: so much of its price, at the rate of its quote, rounded down. */
  price_amount?: string | number | undefined;
  /** An asset code; needed where the payment was paid in several. */
  asset?: string | undefined;
  /** The address; if absent the customer is asked. */
  to?: string | undefined;
  memo?: string | undefined;
  reason?: string | undefined;
  /** true: nothing is done. The answer is what the call would answer. */
  dry_run?: boolean | undefined;
};
