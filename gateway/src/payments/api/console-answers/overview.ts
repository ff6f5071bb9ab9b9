import { type Static, Type } from 'typebox';
import { Mode } from '../../../identity/console/answers/integrations.ts';
import { Decimal, orNull, Time } from '../../../kit/http/answers.ts';
import { currencies } from '../../../money/assets.ts';
import { WebhookOverview } from '../../../webhooks/answers/console-answers.ts';

// What the calls of the overview and of the first steps answer.

const count = Type.Integer();

/** How many payments have each status; those that none has are left out. */
const Counts = Type.Partial(
  Type.Object({
    unlinked: count,
    linked: count,
    pending: count,
    completed: count,
    failed: count,
    cancelled: count,
    'in-appeal': count,
  }),
);
/** What was completed of each paid currency; those without any are left out. */
const Volume = Type.Partial(Type.Object({ PI: Decimal, USDC: Decimal, USDT: Decimal, CSK: Decimal }));
/** What came of the prices of completed payments, by their currency. What was paid of them is in the volume. */
const Prices = Type.Array(Type.Object({ currency: Type.String(), count, amount: Decimal }));

/**
 * What completed payments were worth in the accounting currency: of a price in it what came of the price, of all others what came at
 * the last rate of their day. `without`: coins of which something had no rate, and is not in it.
 */
const worth = { amount: Decimal, without: Type.Array(Type.Enum(currencies)) };

/** The share of the payments that ended by being completed; null before any has ended. */
const success = { completed: count, ended: count, rate: orNull(Type.Number()) };

/** The payments that were created on one day of the zone. */
const OverviewDay = Type.Object({
  day: Type.String(),
  from: Time,
  to: Time,
  counts: Counts,
  volume: Volume,
  prices: Prices,
  value: Type.Object(worth),
});
export type OverviewDay = Static<typeof OverviewDay>;

export const Overview = Type.Object({
  days: count,
  zone: Type.String(),
  /** From the first payment on. */
  by_day: Type.Array(OverviewDay),
  counts: Counts,
  volume: Volume,
  prices: Prices,
  value: Type.Object({ currency: Type.String(), ...worth }),
  success: Type.Object({ ...success, previous: Type.Object(success) }),
  /** From creation to completion, of the latest payments that were completed; `payments` says how many. */
  completion: Type.Object({ median_seconds: orNull(Type.Number()), payments: count }),
  /** Whenever they were created, each counted up to `counted_up_to`. */
  now: Type.Object({
    linked: count,
    pending: count,
    part_paid: count,
    in_appeal: count,
    counted_up_to: count,
  }),
  webhooks: WebhookOverview,
});
export type Overview = Static<typeof Overview>;

const CurrencyVolume = Type.Object({
  currency: Type.Enum(currencies),
  payments: count,
  completed: count,
  /** Of the completed payments, at their nominal amounts. */
  amount: Decimal,
});

const MonthFees = Type.Object({
  asset: Type.String(),
  currency: orNull(Type.Enum(currencies)),
  network: orNull(Type.String()),
  this_month: Decimal,
  last_month: Decimal,
  /** What arrived at the host's own address of payments that settled directly; no account of the ledger has it. */
  direct_this_month: Decimal,
  direct_last_month: Decimal,
});

/** Payments that were created in the last `days` days, and fees of this calendar month (UTC) and the one before. */
export const OperatorOverview = Type.Object({
  mode: Mode,
  days: count,
  volume: Type.Array(CurrencyVolume),
  fees: Type.Array(MonthFees),
});
export type OperatorOverview = Static<typeof OperatorOverview>;

const OnboardingStep = Type.Object({
  step: Type.Enum(['key', 'payment', 'completed', 'endpoint', 'verified', 'approval_asked', 'approved']),
  done: Type.Boolean(),
});
export type OnboardingStep = Static<typeof OnboardingStep>;

export const Onboarding = Type.Object({ steps: Type.Array(OnboardingStep), done: Type.Boolean() });
export type Onboarding = Static<typeof Onboarding>;
