import { Type } from 'typebox';
import { actions } from '../../identity/keys/actions.ts';
import { Decimal, Id, named, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { payoutStatuses, purposeNames } from '../payout/payout.ts';

/** A payout, as the API and the dashboard show it. */
export const PayoutData = Type.Object(
  {
    id: Id,
    payout_reference: orNull(Type.String()),
    purpose: Type.Enum([...purposeNames]),
    status: Type.Enum(
      [...payoutStatuses],
      named('PayoutStatus', 'The status of a payout; `completed` once the chain shows that it is final.'),
    ),
    asset: Type.String(),
    amount: Decimal,
    fee: Type.String({ description: 'What the operator charges beside the amount.' }),
    to: Type.String(),
    memo: orNull(Type.String()),
    description: orNull(Type.String()),
    approvals_needed: Type.Integer(),
    approvals: Type.Array(Type.Object({ by: Type.String(), at: Time })),
    transaction: orNull(Type.String()),
    failure: orNull(Type.String({ description: 'Why it failed, or what holds it up.' })),
    created_at: Time,
    sent_at: orNull(Time),
    completed_at: orNull(Time),
  },
  named('Payout', 'A payout. Amounts are decimal strings; `failure` also says what holds a queued one up.'),
);

export const PayoutPage = pageSchema(PayoutData);

export const BatchData = Type.Object(
  {
    items: Type.Array(PayoutData),
    totals: Type.Array(Type.Object({ asset: Type.String(), amount: Decimal, fee: Decimal })),
  },
  named('PayoutBatch', 'Payouts that were ordered together, and what they take from the balance.'),
);

export const PayoutFees = pageSchema(
  Type.Object(
    {
      asset: Type.String(),
      fee: Decimal,
      minimum: Decimal,
      daily_limit: orNull(Type.String({ description: 'Of this key, on a UTC day; null: it has none.' })),
      available: Type.Boolean(),
      why: orNull(Type.String({ description: 'Why payouts in it are not available.' })),
    },
    named('PayoutFee', 'What a payout in one asset costs, and whether it can be ordered now.'),
  ),
);

/** A key, as it is told to the program that has it. */
export const OwnKeyData = Type.Object(
  {
    id: Id,
    kind: Type.Enum(['signing', 'restricted']),
    name: orNull(Type.String()),
    hint: Type.String({ description: 'The mode and the end of its secret.' }),
    mode: Type.Enum(['test', 'live']),
    integration: Type.Object({ id: Id, name: Type.String() }),
    actions: Type.Array(Type.Enum([...actions]), { description: 'Everything that it may do now.' }),
    addresses: orNull(
      Type.Array(Type.String(), { description: 'From where it may be used; null: from everywhere.' }),
    ),
    daily_limits: orNull(
      Type.Array(Type.Object({ asset: Type.String(), limit: Decimal, left: Decimal }), {
        description:
          'The most that it may pay out and refund on a UTC day, and what is left of that now; of an asset that is not there, nothing. null: no limit of its own.',
      }),
    ),
    asks_above: Type.Boolean({
      description:
        "true: what it orders above its daily limits waits for a person's approval. false: that is refused.",
    }),
    valid_until: orNull(Time),
  },
  named('OwnKey', 'What a key may do, how much, and until when.'),
);

export const TopUpAddress = Type.Object({
  asset: Type.String(),
  network: Type.String(),
  address: Type.String(),
  memo: orNull(Type.String()),
});
export const TopUpAddresses = pageSchema(TopUpAddress);

export const ToppedUp = Type.Object({ asset: Type.String(), amount: Decimal });
