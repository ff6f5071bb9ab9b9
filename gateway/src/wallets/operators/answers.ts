import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { limitedActions } from '../limits.ts';
import { levels } from '../standing.ts';

// What the operators' calls on users answer. Amounts are decimals in their own asset.

const text = Type.String();
const Mode = Type.Enum(['test', 'live']);
const UserLevel = Type.Enum(levels);

export const WalletUser = Type.Object({
  id: Id,
  username: text,
  level: UserLevel,
  frozen_at: orNull(Time),
  created_at: Time,
});
export type WalletUser = Static<typeof WalletUser>;
export const WalletUserPage = pageSchema(WalletUser);

/** `owed`: what a reversed deposit left, which the next money pays. */
const UserBalance = Type.Object({
  mode: Mode,
  asset: text,
  available: Decimal,
  held: Decimal,
  owed: Decimal,
});

export const WalletUserDetail = Type.Object({
  ...WalletUser.properties,
  frozen_why: orNull(text),
  has_second_factor: Type.Boolean(),
  balances: Type.Array(UserBalance),
  sessions: Type.Array(
    Type.Object({ id: Id, created_at: Time, seen_at: Time, address: text, user_agent: orNull(text) }),
  ),
  /** Whether a provider can be asked for the level. */
  has_provider: Type.Boolean(),
});
export type WalletUserDetail = Static<typeof WalletUserDetail>;

export const UserWithdrawal = Type.Object({
  id: Id,
  asset: text,
  amount: Decimal,
  fee: Decimal,
  to: text,
  memo: orNull(text),
  status: text,
  transaction: orNull(text),
  failure: orNull(text),
  created_at: Time,
});
export type UserWithdrawal = Static<typeof UserWithdrawal>;
export const UserWithdrawalPage = pageSchema(UserWithdrawal);

export const EndedSessions = Type.Object({ ended: Type.Integer() });
export const AnsweredLevel = Type.Object({ before: UserLevel, level: UserLevel });

/** No row: as much as there is. */
export const WalletLimit = Type.Object({
  level: UserLevel,
  action: Type.Enum(limitedActions),
  asset: text,
  amount: Decimal,
});
export type WalletLimit = Static<typeof WalletLimit>;
/** `amount` null: there is no limit any more. */
export const ChangedLimit = Type.Object({ ...WalletLimit.properties, amount: orNull(Decimal) });
export const WalletLimitPage = pageSchema(WalletLimit);
