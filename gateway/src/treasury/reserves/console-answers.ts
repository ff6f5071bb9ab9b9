import { type Static, Type } from 'typebox';
import { Decimal, orNull, Time } from '../../kit/http/answers.ts';

// What the dashboard's call for the reserves answers. Amounts are decimals in their own asset.

const text = Type.String();

export const ReserveView = Type.Object({
  asset: text,
  network: orNull(text),
  block: Type.Integer(),
  owed: Type.Object({
    business: Decimal,
    wallets: Decimal,
    customers: Decimal,
    fees: Decimal,
    suspense: Decimal,
  }),
  held: Type.Object({ addresses: Decimal, treasury: Decimal, vault: Decimal }),
  explained: Type.Array(Type.Object({ why: text, amount: Decimal })),
  difference: Decimal,
});
export type ReserveView = Static<typeof ReserveView>;

const compared = {
  items: Type.Array(ReserveView),
  missing: Type.Array(Type.Object({ asset: text, why: text })),
};

export const ReservesView = Type.Object({
  /** When the reserves were compared; null: not yet. */
  at: orNull(Time),
  ...compared,
  /** Those of the networks of test mode; null: there are none. */
  test: orNull(Type.Object(compared)),
});
export type ReservesView = Static<typeof ReservesView>;
