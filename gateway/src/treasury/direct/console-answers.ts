import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { directTerms } from '../../rails/direct.ts';

// What the dashboard's calls on direct settlement answer.

const text = Type.String();

/** An asset that may settle to an address of the merchant's own. */
const OwnAddressAsset = Type.Object({
  asset: text,
  network: text,
  /** Where the host's part goes. */
  host: text,
  /** Where payments settle now; null: they are credited to the balance. */
  address: orNull(text),
  /** The address that was set last and rests until a time. */
  next: orNull(Type.Object({ address: text, from: Time })),
  set_by: orNull(text),
  /** What lies at addresses of payments and splitters, on the way to both sides. */
  on_the_way: Decimal,
});

export const OwnAddresses = Type.Object({
  /** Of the installation; `off`: no network of this mode offers it. */
  settlement: Type.Enum(['off', ...directTerms]),
  basis_points: Type.Integer(),
  /** Why no address can be set, where the fee is more than basis points. */
  fee_fault: orNull(text),
  items: Type.Array(OwnAddressAsset),
});
export type OwnAddresses = Static<typeof OwnAddresses>;

export const OwnAddressStatement = Type.Object({ statement: text });

/** What a customer's transfer brought, and how far it has come. `gross - fee = net`; `fee` is the host's part. */
const DirectPayment = Type.Object({
  id: Id,
  payment_reference: text,
  asset: text,
  network: orNull(text),
  gross: Decimal,
  fee: Decimal,
  net: Decimal,
  /** `at_address`: of the payment; `on_the_way`: at the contract that divides it; `gone`: its block left the chain. */
  state: Type.Enum(['at_address', 'on_the_way', 'arrived', 'gone']),
  /** The merchant's own address. */
  address: text,
  transaction: text,
  transaction_url: orNull(text),
  arrived_transaction: orNull(text),
  arrived_url: orNull(text),
  arrived_block: orNull(Type.Integer()),
  at: Time,
});
export type DirectPayment = Static<typeof DirectPayment>;
export const DirectPaymentPage = pageSchema(DirectPayment);

/** Money that left the addresses of direct settlement, or came there and pays nothing. */
const DirectMove = Type.Object({
  id: Id,
  asset: text,
  network: orNull(text),
  amount: Decimal,
  to: Type.Enum(['merchant', 'host', 'given']),
  receiver: text,
  transaction: text,
  transaction_url: orNull(text),
  block: orNull(Type.Integer()),
  at: Time,
  /** A reorg took it back. */
  is_gone: Type.Boolean(),
});
export type DirectMove = Static<typeof DirectMove>;
export const DirectMovePage = pageSchema(DirectMove);
