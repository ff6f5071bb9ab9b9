import fc from 'fast-check';
import type { Mode } from '../world/world.ts';

/** How the customer of a live payment pays: by plain transfers on the chain, from a wallet of Florin's, or not at all. */
export const ways = ['exact', 'parts', 'over', 'under', 'twice', 'wrong', 'late', 'never', 'wallet'] as const;
export type Way = (typeof ways)[number];

/** What is simulated for a test payment. */
export const outcomes = [
  ...['success', 'overpaid', 'split', 'late', 'slow', 'underpaid', 'failure', 'expire', 'dispute', 'reorg'],
  ...['two_networks', 'wrong_token'],
] as const;

/** What the merchant or the customer does once a payment is completed. */
export const sequels = ['none', 'dispute', 'refund', 'refund a part', 'left to the customer'] as const;
export type Sequel = (typeof sequels)[number];

/** What anybody may do at the addresses of a direct payment: sweep, release, both at once, or send something there. */
const meddlings = ['no', 'sweep', 'settle', 'release', 'give'] as const;
type Meddling = (typeof meddlings)[number];

/** One order, from its creation to its end. */
export type OrderPlan = {
  merchant: number;
  mode: Mode;
  /** Milliseconds after the beginning of the seed, and between two steps. */
  startMs: number;
  pauseMs: number;
  currency: 'USDC' | 'USDT' | 'CSK' | 'PI';
  cents: number;
  /** Millionths beside the cents, where it is no price. */
  millionths: number;
  /** A price in euros, with or without the currency that pays it. */
  price: 'none' | 'quoted' | 'open';
  feePayer: 'merchant' | 'customer';
  way: Way;
  outcome: string | null;
  /** Who cancels it before anybody paid. */
  cancel: 'merchant' | 'customer' | null;
  sequel: Sequel;
  /** Sends each write twice at once, to two gateways. */
  isTwin: boolean;
  customer: number;
  /** What a stranger does at the addresses of a direct payment once it was paid. */
  meddles: Meddling;
};

/** Everything else that people do meanwhile. */
export type DeedPlan = {
  do:
    | 'pay out'
    | 'batch'
    | 'fund'
    | 'send'
    | 'withdraw'
    | 'top up'
    | 'roll secret'
    | 'cancel payout'
    | 'pause';
  merchant: number;
  mode: Mode;
  startMs: number;
  cents: number;
  user: number;
  isTwin: boolean;
};

/** `turnMs`: when the merchant who settles directly sets another address; null: not in this seed. */
export type Plan = { orders: OrderPlan[]; deeds: DeedPlan[]; turnMs: number | null };

/** Nobody begins anything later than this after the beginning of a seed. */
const lastStartMs = 4_000;

const startMs = fc.integer({ min: 0, max: lastStartMs });
const mode = fc.constantFrom<Mode>('live', 'live', 'test');
const merchant = fc.nat(7);
const isTwin = fc.integer({ min: 0, max: 2 }).map((drawn) => drawn === 0);

const order: fc.Arbitrary<OrderPlan> = fc
  .record({
    ...{ merchant, mode, startMs, isTwin },
    pauseMs: fc.nat(600),
    currency: fc.constantFrom<OrderPlan['currency']>('USDC', 'USDC', 'USDT', 'CSK', 'PI'),
    // Above all minimums: five dollars.
    cents: fc.integer({ min: 500, max: 3_000 }),
    millionths: fc.constantFrom(0, 0, 1, 49, 51, 4_950, 9_999),
    price: fc.constantFrom<OrderPlan['price']>('none', 'none', 'none', 'quoted', 'open'),
    feePayer: fc.constantFrom<OrderPlan['feePayer']>('merchant', 'merchant', 'customer'),
    way: fc.constantFrom<Way>('exact', 'exact', 'twice', 'parts', ...ways),
    outcome: fc.constantFrom(...outcomes, 'success', 'success'),
    cancel: fc.constantFrom<OrderPlan['cancel']>(null, null, null, null, null, 'merchant', 'customer'),
    sequel: fc.constantFrom<Sequel>('none', 'none', ...sequels),
    customer: fc.nat(63),
  })
  .map((drawn) => ({
    ...drawn,
    outcome: drawn.mode === 'test' ? drawn.outcome : null,
    meddles: 'no' as const,
    ...pricedOf(drawn),
  }));

/** The last merchant of a world settles directly. */
const directMerchant = 2;

/** More orders of the merchant who settles directly, in the currency of that. */
const directOrder: fc.Arbitrary<OrderPlan> = fc
  .record({
    order,
    feePayer: fc.constantFrom<OrderPlan['feePayer']>('merchant', 'customer'),
    way: fc.constantFrom<Way>('exact', 'exact', 'parts', 'over', 'under', 'late', 'twice', 'twice', 'wrong'),
    meddles: fc.constantFrom<Meddling>('no', 'no', ...meddlings),
  })
  .map(({ order: drawn, ...own }) => ({
    ...{ ...drawn, ...own, merchant: directMerchant, outcome: null },
    ...({ mode: 'live', currency: 'USDC' } as const),
  }));

/** Rates of PI and CSK are the operator's: what is priced is paid in dollars. */
function pricedOf({ price, currency }: Pick<OrderPlan, 'price' | 'currency'>) {
  if (price === 'none' || currency === 'USDC' || currency === 'USDT') return {};
  return { currency: 'USDC' as const };
}

const deed: fc.Arbitrary<DeedPlan> = fc.record({
  do: fc.constantFrom<DeedPlan['do']>(
    ...([
      'pay out',
      'pay out',
      'batch',
      'fund',
      'fund',
      'send',
      'withdraw',
      'top up',
      'roll secret',
    ] as const),
    ...(['cancel payout', 'pause'] as const),
  ),
  ...{ merchant, mode, startMs, isTwin },
  cents: fc.integer({ min: 10, max: 200 }),
  user: fc.nat(7),
});

/** In so many seeds one has another address set. */
const turningSeeds = 6;

/** What parties do for a seed: always the same for the same one. */
export function planOf(seed: number): Plan {
  const plan = fc.record({
    orders: fc.array(order, { minLength: 10, maxLength: 18, size: 'max' }),
    deeds: fc.array(deed, { minLength: 6, maxLength: 12, size: 'max' }),
  });
  const direct = fc.record({
    orders: fc.array(directOrder, { minLength: 2, maxLength: 5, size: 'max' }),
    turnMs: startMs,
  });
  const [drawn] = fc.sample(plan, { seed, numRuns: 1 });
  const [also] = fc.sample(direct, { seed, numRuns: 1 });
  if (!drawn || !also) throw new Error('Nothing was drawn');
  const turnMs = seed % turningSeeds === 2 ? also.turnMs : null;
  return { ...drawn, orders: [...drawn.orders, ...also.orders], turnMs };
}

/** A share of a plan, in as much less time. */
export function lightened(plan: Plan, share: number): Plan {
  const some = <T extends { startMs: number }>(all: readonly T[]): T[] =>
    all
      .filter((_, n) => Math.floor((n + 1) * share) > Math.floor(n * share))
      .map((each) => ({ ...each, startMs: each.startMs * share }));
  return { ...plan, orders: some(plan.orders), deeds: some(plan.deeds) };
}
