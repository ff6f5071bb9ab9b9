import { type Static, Type } from 'typebox';
import { Decimal, orNull, Time } from '../../../kit/http/answers.ts';
import { RefundData } from '../../refunds/answers.ts';
import { Currency } from './payments.ts';

// What the dashboard's calls on refunds answer.

export const ConsoleRefund = Type.Object({
  ...RefundData.properties,
  /** When the customer was last mailed the link to claim it, and where to. */
  link_mailed_at: orNull(Time),
  link_mailed_to: orNull(Type.String()),
  /** The address that it came from, whose owner signed where it goes. */
  proved_by: orNull(Type.String()),
});
export type ConsoleRefund = Static<typeof ConsoleRefund>;

/** The refunds that wait for transfers out of the business's own addresses, and a file for a Safe with those of each address. */
export const WaitingTransfers = Type.Object({
  items: Type.Array(ConsoleRefund),
  files: Type.Array(
    Type.Object({
      network: Type.String(),
      from: Type.String(),
      refunds: Type.Integer(),
      file: Type.String(),
    }),
  ),
});
export type WaitingTransfers = Static<typeof WaitingTransfers>;

/** What can be refunded of a payment in one asset, and the refunds that it has. */
export const RefundOptions = Type.Object({
  /** Of a priced payment that was quoted: rates are units of `currency` for one of `paid_currency`. */
  price: orNull(
    Type.Object({
      currency: Type.String(),
      minor_digits: Type.Integer(),
      paid_currency: Currency,
      /** That of the quote, by which a part of the price is refunded. */
      rate: Decimal,
      /** Null: there is none now. */
      rate_today: orNull(Decimal),
    }),
  ),
  items: Type.Array(
    Type.Object({
      asset: Type.String(),
      network: Type.String(),
      /** The decimals of its amounts. */
      scale: Type.Integer(),
      amount: Decimal,
      /** What of it is the customer's own, and refunded first. */
      overpayment: Decimal,
      /** Of another currency than the payment's. */
      wrong_token: Decimal,
      /** What of it is at the merchant's own address, and sent from there; and what of that came too much. */
      direct: Decimal,
      direct_overpayment: Decimal,
      /** What of it goes back to the wallets that paid, at once. */
      to_wallets: Decimal,
      /** What the business balance has of the asset. */
      available: Decimal,
    }),
  ),
  fee_on_refund: Type.Enum(['kept', 'returned']),
  refunds: Type.Array(ConsoleRefund),
});
export type RefundOptions = Static<typeof RefundOptions>;

export const RefundSettingsData = Type.Object({
  fee_on_refund: Type.Enum(['kept', 'returned']),
  /** US dollars up to which the link of a payment suffices to claim a refund. */
  claim_limit_usd: Decimal,
  /** The same in an asset of their own; these go before. */
  claim_limits: Type.Record(Type.String(), Decimal),
  assets: Type.Array(Type.String()),
});
export type RefundSettingsData = Static<typeof RefundSettingsData>;
