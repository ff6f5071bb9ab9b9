import { type Static, Type } from 'typebox';
import { Decimal, Id, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { payoutStatuses } from '../payout/payout.ts';
import { frequencies } from '../schedules/next-time.ts';
import { PayoutData, TopUpAddress } from './answers.ts';

// What the dashboard's calls on payouts answer. Amounts are decimals in their own asset.

const text = Type.String();
const Modes = Type.Union([Type.Literal('test'), Type.Literal('live')]);

export const ConsolePayout = Type.Object({
  ...PayoutData.properties,
  /** Of the payment that is refunded by it. */
  payment_reference: orNull(text),
  requester: text,
  /** Whether the caller asked for it, or approved it: then they cannot approve it. */
  asked_by_you: Type.Boolean(),
  approved_by_you: Type.Boolean(),
  /** How many approvals are still to be given. */
  approvals_left: Type.Object({ merchant: Type.Integer(), operator: Type.Integer() }),
  /** The other parts of the refund that it is a part of: they are approved, rejected and cancelled as one. */
  together_with: Type.Array(Type.Object({ amount: Decimal, to: text })),
  transaction_url: orNull(text),
  /**
   * Of a queued one that was ever exported, or that nothing can pay any more: whether it is exported now, and whether
   * that is so. What was exported can be cancelled only then.
   */
  by_hand: orNull(Type.Object({ is_exported: Type.Boolean(), is_used_up: Type.Boolean() })),
});
export type ConsolePayout = Static<typeof ConsolePayout>;
export const ConsolePayoutPage = pageSchema(ConsolePayout);

const Move = Type.Object({
  at: Time,
  from: orNull(Type.Enum([...payoutStatuses])),
  to: Type.Enum([...payoutStatuses]),
  transaction: orNull(text),
  why: orNull(text),
});

export const PayoutDetail = Type.Object({ ...ConsolePayout.properties, moves: Type.Array(Move) });
export type PayoutDetail = Static<typeof PayoutDetail>;

/** What an order would do; nothing is ordered. `leaves` is the amount and the fee. */
export const PayoutPreview = Type.Object({
  asset: text,
  amount: Decimal,
  fee: Decimal,
  leaves: Decimal,
  balance_after: Decimal,
  approvals_needed: Type.Integer(),
});
export type PayoutPreview = Static<typeof PayoutPreview>;

/** What can be paid out. `most` is the balance less the fee; `why` says why nothing can be ordered in an asset. */
export const PayoutAssets = Type.Object({
  enabled: Type.Boolean(),
  known_addresses_only: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      asset: text,
      currency: text,
      network: text,
      available: Decimal,
      fee: Decimal,
      minimum: Decimal,
      most: Decimal,
      why: orNull(text),
    }),
  ),
});
export type PayoutAssets = Static<typeof PayoutAssets>;

/** `approvers` is how many people of the business may approve. */
export const PayoutSettingsData = Type.Object({
  enabled: Type.Boolean(),
  approvals: Type.Integer(),
  approve_above: Type.Record(text, Decimal),
  known_addresses_only: Type.Boolean(),
  approvers: Type.Integer(),
  assets: Type.Array(text),
});
export type PayoutSettingsData = Static<typeof PayoutSettingsData>;

export const PayoutAddress = Type.Object({
  id: Id,
  address: text,
  memo: orNull(text),
  label: text,
  added_by: text,
  created_at: Time,
  usable_at: Time,
  /** Whether that time has come. */
  is_usable: Type.Boolean(),
});
export type PayoutAddress = Static<typeof PayoutAddress>;
export const PayoutAddresses = pageSchema(PayoutAddress);

/** What a balance has above `keep`, up to `most`, is paid out each day, week or month at 00:00 UTC. */
export const PayoutSchedule = Type.Object({
  id: Id,
  asset: text,
  keep: Decimal,
  most: Decimal,
  every: Type.Enum([...frequencies]),
  label: text,
  address: text,
  memo: orNull(text),
  requester: text,
  asked_by_you: Type.Boolean(),
  approved_by_you: Type.Boolean(),
  approvals_needed: Type.Integer(),
  approved_by: Type.Array(text),
  /** Null while it waits for approval. */
  next_at: orNull(Time),
  last_at: orNull(Time),
  last_payout_id: orNull(Id),
  /** Why there was no payout the last time. */
  last_skip: orNull(text),
});
export type PayoutSchedule = Static<typeof PayoutSchedule>;
export const PayoutSchedules = pageSchema(PayoutSchedule);

const Belongs = {
  mode: Modes,
  integration: orNull(Type.Object({ id: Id, name: text, merchant: orNull(text) })),
};
export const QueuedPayoutData = Type.Object({ ...ConsolePayout.properties, ...Belongs });
export type QueuedPayoutData = Static<typeof QueuedPayoutData>;
export const QueuedPayoutPage = pageSchema(QueuedPayoutData);
export const QueuedPayoutDetail = Type.Object({ ...PayoutDetail.properties, ...Belongs });
export type QueuedPayoutDetail = Static<typeof QueuedPayoutDetail>;

/** Null: no limit, and no approval by operators. */
export const PayoutTermsData = Type.Object({
  asset: text,
  fee: Decimal,
  minimum: Decimal,
  daily_limit: orNull(Decimal),
  approve_above: orNull(Decimal),
  /** Why no live payout can be ordered in it. */
  why: orNull(text),
});
export type PayoutTermsData = Static<typeof PayoutTermsData>;
export const PayoutTermsPage = pageSchema(PayoutTermsData);

export const PayoutStopData = orNull(Type.Object({ reason: text, by: text, at: Time }));
export type PayoutStopData = Static<typeof PayoutStopData>;

/** The addresses for topping the balance up, and the assets for which there is none yet. */
const ListedTopUpAddress = Type.Object({
  ...TopUpAddress.properties,
  /** False while the rail has been unable to read the network for minutes: what comes there counts later. */
  is_readable: Type.Boolean(),
});
export const TopUpPage = Type.Object({ items: Type.Array(ListedTopUpAddress), offered: Type.Array(text) });
export type TopUpPage = Static<typeof TopUpPage>;
