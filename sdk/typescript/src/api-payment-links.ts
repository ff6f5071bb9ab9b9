// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
import type { Currency, Price } from './api-payments.ts';

/** Body of `paymentLinks.create`. Without `amount` the customer says how much. */
export type PaymentLinkInput = {
  /** What is paid for, as the customer reads it. */
  title: string;
  /** PI, USDC, USDT or CSK; required without `price`. With `price`: what it is paid in; without it each customer chooses. */
  currency?: Currency | undefined;
  /** What every customer pays, as a decimal string or a number. Without it the customer says how much. */
  amount?: string | number | undefined;
  price?: Price | undefined;
  /** What the customer may pay a `price` in. By default all that is offered and whose minimum the price meets. */
  currencies?: Currency[] | undefined;
  /** The least that the customer may say. Not together with `amount`. */
  min_amount?: string | number | undefined;
  /** The most that the customer may say. Not together with `amount`. */
  max_amount?: string | number | undefined;
  /** One payment is completed by it, and no other. */
  one_use?: boolean | undefined;
  /** More about it, for the customer. */
  description?: string | undefined;
  /** No payment is begun from this time on. */
  expires_at?: string | undefined;
  /** Where the customer goes after paying. */
  success_url?: string | undefined;
};

/** A payment link. Amounts are decimal strings in `currency`. */
export type PaymentLink = {
  id: string;
  /** Where customers pay. */
  url: string;
  /** Only an active link takes payments. */
  status: 'active' | 'used' | 'expired' | 'stopped';
  title: string;
  description: string | null;
  /** That of the amounts: a coin, or the currency of the price. */
  currency: string;
  amount: string | null;
  /** The coin that pays. Null: each customer of the price chooses it. */
  paid_currency: Currency | null;
  /** What customers of the price choose from. Null: all that is offered, or there is no choice. */
  currencies: Currency[] | null;
  min_amount: string | null;
  max_amount: string | null;
  one_use: boolean;
  success_url: string | null;
  expires_at: string | null;
  /** How many of its payments were completed. */
  uses: number;
  /** The amounts of its completed payments, as a plain decimal number. */
  revenue: string;
  created_at: string;
};

/** Which page of payment links. */
export type LinkFilter = {
  cursor?: string | undefined;
  limit?: number | undefined;
};
