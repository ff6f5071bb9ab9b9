import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../kit/http/answers.ts';

const text = Type.String();

/** A coin or token that came to the address of a payment and is not taken. */
export const OtherCoin = Type.Object({
  id: Id,
  chain: text,
  /** Of the token's contract; the zero address: the native coin. */
  token: text,
  /** Of the native coin. Null for a token: anybody can give one any name. */
  symbol: orNull(text),
  /** Of the native coin in coins, of a token in its smallest units: its decimals are not known. */
  amount: Decimal,
  address: text,
  transaction: text,
  /** On a block explorer, where there is one. */
  transaction_url: orNull(text),
  /** When a customer first named the transaction. */
  found_at: Time,
  /** `recovered`: a sweep has moved it to the treasury since. */
  state: Type.Enum(['open', 'recovered']),
  /** Recovers it; null where a wallet holds the key of the address, and where the chain is no longer configured. */
  command: orNull(text),
  payment: Type.Object({ reference: text, integration_id: Id, integration_name: text }),
});
export type OtherCoin = Static<typeof OtherCoin>;
export const OtherCoinPage = pageSchema(OtherCoin);
