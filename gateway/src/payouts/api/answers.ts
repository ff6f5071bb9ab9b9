import { Type } from 'typebox';
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

export const TopUpAddress = Type.Object({
  asset: Type.String(),
  network: Type.String(),
  address: Type.String(),
  memo: orNull(Type.String()),
});
export const TopUpAddresses = pageSchema(TopUpAddress);

export const ToppedUp = Type.Object({ asset: Type.String(), amount: Decimal });
