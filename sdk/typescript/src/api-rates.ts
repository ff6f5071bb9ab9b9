// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.
import type { Currency } from './api-payments.ts';

/** The rate of a currency in a price currency, with the sources that it follows from. */
export type Rate = {
  currency: Currency;
  /** An ISO 4217 code, such as `EUR`. */
  price_currency: string;
  /** Units of the price currency for one unit of the currency. */
  rate: string;
  at: string;
  sources: {
    name: string;
    rate: string;
    at: string;
  }[];
};
