import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, Time } from '../../../kit/http/answers.ts';

// What the call of operators on sweeps answers.

const text = Type.String();
const count = Type.Integer();

/** A transaction that moves deposits to the treasury. */
const Sweep = Type.Object({
  id: Id,
  chain: text,
  nonce: count,
  deposits: count,
  /** null: a token that is not listed, whose amount is in `unit`. */
  asset: orNull(text),
  amount: Decimal,
  unit: orNull(text),
  treasury: text,
  transaction: text,
  /** On a block explorer, where there is one. */
  transaction_url: orNull(text),
  state: Type.Enum(['prepared', 'sent', 'mined', 'final', 'failed', 'replaced']),
  succeeded: orNull(Type.Boolean()),
  gas_paid: orNull(text),
  fault: orNull(text),
  created_at: Time,
});
export type Sweep = Static<typeof Sweep>;

/** What pays for gas on a chain, and what keeps it from that. */
const Sender = Type.Object({
  chain: text,
  gas_key: orNull(text),
  gas_balance: orNull(text),
  faults: Type.Array(text),
  planned_at: orNull(Time),
});
export type Sender = Static<typeof Sender>;

/** A deposit that could not be moved. */
const LeftBehind = Type.Object({
  chain: text,
  asset: text,
  address: text,
  reason: text,
  tries: count,
  retry_at: Time,
});
export type LeftBehind = Static<typeof LeftBehind>;

export const Sweeps = Type.Object({
  items: Type.Array(Sweep),
  next_cursor: orNull(text),
  senders: Type.Array(Sender),
  left_behind: Type.Array(LeftBehind),
});
export type Sweeps = Static<typeof Sweeps>;
