import fc from 'fast-check';
import type { Coin, ModelTerms } from './price-model.ts';

// What may happen in the life of one payment, step by step, for fast-check to make up.

/** Units of each asset for the smallest unit of its coin. USDC on two networks pays together. */
export const unitOf = {
  ...{ 'usdc-erc20': 1n, 'usdc-bep20': 10n ** 12n, 'usdt-erc20': 1n, 'csk-bep20': 10n ** 12n, pi: 1n },
} as const;
export type AssetCode = keyof typeof unitOf;
export const assetCodes = Object.keys(unitOf) as AssetCode[];

/**
 * `way`: by the place in `Life.assets`, or the first one's other network where it has one. `extra`: units beside the thousandths;
 * one alone is dust.
 */
export type Transfer = { thousandths: number; extra: 0 | 1; way: 0 | 1 | 2 | 'sibling' };

/** `report`: the rail tells a state of a transfer, by its index. `choose`: by the place in `Life.assets`. */
export type Step =
  | { do: 'report'; index: number; state: 'seen' | 'final' | 'gone' }
  | { do: 'wait'; seconds: number }
  | { do: 'cancel'; by: 'customer' | 'merchant' }
  | { do: 'decide'; how: 'accept' | 'return' | 'reject' }
  | { do: 'choose'; way: 0 | 1 | 2 }
  | { do: 'rate'; way: 0 | 1 | 2; rate: bigint }
  | { do: 'expire' | 'enough' | 'dispute' | 'spend' };

const states = ['seen', 'final', 'gone'] as const;
const tellStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('report'),
  index: fc.nat(3),
  state: fc.constantFrom(...states),
});
const waitStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('wait'),
  seconds: fc.oneof(fc.nat(700), fc.constantFrom(600, 1800, 3600, 86_400)),
});
const cancelStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('cancel'),
  by: fc.constantFrom('customer', 'merchant'),
});
const decideStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('decide'),
  how: fc.constantFrom('accept', 'return', 'reject'),
});
const way = fc.constantFrom(0 as const, 1 as const, 2 as const);
const otherStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('choose' as const), way }),
  fc.record({ do: fc.constantFrom('expire' as const, 'enough' as const) }),
);
/** Whatever became of a coin: from a thousandth to a hundred times the price's currency. */
const rateStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('rate'),
  way,
  rate: fc.bigInt({ min: 10n ** 9n, max: 10n ** 14n }),
});
const disputeStep: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('dispute', 'dispute', 'spend') });

const choose = (at: 0 | 1 | 2): Step => ({ do: 'choose', way: at });
const first = choose(0);
const paid: Step[] = [0, 1, 2, 3].map((index) => ({ do: 'report', index, state: 'final' }));
const dayEnds: Step[] = [{ do: 'wait', seconds: 86_400 }, { do: 'expire' }];
const deadlineEnds: Step[] = [{ do: 'wait', seconds: 900 }, { do: 'expire' }];

const leaves = (index: number): Step => ({ do: 'report', index, state: 'gone' });
const refunded: Step[] = [{ do: 'decide', how: 'return' }, leaves(0), leaves(2), paid[0]!];
/** Two coins are chosen, at rates that have nothing to do with each other. */
const twoQuotes: Step[] = [
  first,
  { do: 'rate', way: 0, rate: 123_456_789n },
  { do: 'rate', way: 1, rate: 7_777_777_777_777n },
  choose(1),
];

/** How a life may begin that soon comes into appeal, beside those that begin anyhow. */
const beginnings: Step[][] = [
  [],
  [],
  [first, ...paid, { do: 'dispute' }],
  [first, ...paid, { do: 'spend' }, { do: 'dispute' }],
  [first, paid[0]!, ...deadlineEnds],
  // Those of which a little may be missing: before and after their end, and with what leaves its chain.
  [first, paid[0]!, { do: 'enough' }, paid[1]!],
  [first, paid[0]!, ...deadlineEnds, { do: 'spend' }, leaves(0), paid[1]!, paid[0]!],
  [first, paid[0]!, paid[1]!, { do: 'enough' }, { do: 'dispute' }, leaves(1)],
  // What the business owes after this it may pay out of what comes later.
  [
    ...[first, paid[0]!, ...deadlineEnds],
    ...[{ do: 'decide', how: 'accept' } as const, { do: 'spend' } as const],
    ...[{ do: 'dispute' } as const, { do: 'decide', how: 'return' } as const, paid[1]!],
  ],
  [first, ...deadlineEnds, paid[1]!, ...dayEnds],
  [{ do: 'cancel', by: 'merchant' }, paid[0]!],
  [{ do: 'report', index: 2, state: 'seen' }, ...deadlineEnds, { do: 'report', index: 2, state: 'gone' }],
  // Reorgs deeper than what is final: before and after the money was spent, disputed, or refunded.
  [first, ...paid, leaves(0), leaves(1)],
  [first, ...paid, { do: 'spend' }, leaves(0), leaves(1), paid[0]!],
  [first, ...paid, { do: 'dispute' }, leaves(0), leaves(1), paid[0]!],
  [first, ...paid, { do: 'dispute' }, ...refunded],
  [first, ...paid, { do: 'spend' }, leaves(1), ...refunded],
  // Of two coins: paid in both, chosen again, late, and what left its chain.
  [...twoQuotes, ...paid, first],
  [...twoQuotes, first, ...paid],
  [...twoQuotes, first, paid[1]!, choose(1), paid[0]!],
  [...twoQuotes, first, choose(1), ...deadlineEnds, paid[0]!, paid[1]!, ...dayEnds],
  [...twoQuotes, { do: 'report', index: 1, state: 'seen' }, leaves(1), paid[0]!, ...deadlineEnds],
  [...twoQuotes, { do: 'cancel', by: 'customer' }, ...paid, { do: 'decide', how: 'accept' }],
];

/** One coin's asset after the other: the first is asked for where the payment is not open. */
const assetOrders: AssetCode[][] = [
  ['usdc-erc20', 'pi', 'usdt-erc20'],
  ['usdc-erc20', 'pi', 'csk-bep20'],
  ['pi', 'usdc-erc20', 'csk-bep20'],
  ['usdt-erc20', 'csk-bep20', 'usdc-erc20'],
  ['csk-bep20', 'usdc-erc20', 'pi'],
];

const price = fc.record({
  units: fc.integer({ min: 60, max: 2_000 }),
  minor: fc.nat(999),
  currency: fc.constantFrom('EUR' as const, 'EUR' as const, 'JPY' as const, 'KWD' as const),
});

const terms: fc.Arbitrary<Omit<ModelTerms, 'feePayer'>> = fc.record({
  fee: fc.constantFrom(
    ...[{ bps: 100 }, { bps: 100 }, { bps: 137, fixed: '0.05' }, { bps: 50, floor: '0.3', cap: '2' }],
  ),
  /** A twentieth may be missing, or less, or nothing. */
  shortTolerance: fc.record({
    percent: fc.constantFrom(0, 5, 5, 2.5),
    most: fc.constantFrom('5.00', '100', '0.21'),
  }),
  adjustment: fc.constantFrom(0, 0, -1_000, 37, 250, 1_000),
});

/** What one coin is worth in the price's currency and in USD at the begin, with 12 decimals. */
const rates = fc.tuple(
  fc.oneof(fc.constant(800_000_000_000n), fc.bigInt({ min: 400_000_000_000n, max: 4_000_000_000_000n })),
  fc.oneof(fc.constant(10n ** 12n), fc.bigInt({ min: 500_000_000_000n, max: 2_000_000_000_000n })),
);

export type Life = {
  /** An amount, a price that is quoted at once, or one whose customer chooses among the first two or three assets' coins. */
  asks: 'amount' | 'quoted' | 'open';
  offered: 2 | 3;
  assets: AssetCode[];
  price: { units: number; minor: number; currency: 'EUR' | 'JPY' | 'KWD' };
  /** In the order of `assets`. */
  rates: [rate: bigint, usd: bigint][];
  /** In live mode a refund is owed until it is sent. */
  mode: 'test' | 'live';
  terms: ModelTerms;
  transfers: Transfer[];
  steps: Step[];
};

/** Whole lives. Transfers are in thousandths of what is due. */
export const lives: fc.Arbitrary<Life> = fc
  .record({
    asks: fc.constantFrom('amount' as const, 'quoted' as const, 'open' as const, 'open' as const),
    offered: fc.constantFrom(2 as const, 3 as const),
    assets: fc.constantFrom(...assetOrders),
    price,
    rates: fc.array(rates, { minLength: 3, maxLength: 3 }),
    mode: fc.constantFrom('test' as const, 'live' as const),
    terms,
    feePayer: fc.constantFrom('merchant' as const, 'customer' as const),
    transfers: fc.array(
      fc.record({
        thousandths: fc.constantFrom(0, 1, 20, 250, 333, 500, 940, 950, 975, 980, 1000, 1500),
        extra: fc.constantFrom<Transfer['extra'][]>(0, 1),
        way: fc.constantFrom<Transfer['way'][]>(0, 0, 'sibling', 'sibling', 1, 1, 2),
      }),
      { minLength: 4, maxLength: 4 },
    ),
    beginning: fc.constantFrom(...beginnings),
    steps: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: tellStep },
        { weight: 3, arbitrary: waitStep },
        { weight: 3, arbitrary: otherStep },
        { weight: 2, arbitrary: rateStep },
        { weight: 3, arbitrary: decideStep },
        { weight: 3, arbitrary: disputeStep },
        { weight: 1, arbitrary: cancelStep },
      ),
      { minLength: 3, maxLength: 25 },
    ),
  })
  .map(({ beginning, steps, feePayer, terms: own, ...life }) => ({
    ...life,
    terms: { ...own, feePayer },
    steps: [...beginning, ...steps],
  }));

const coins: Record<AssetCode, Coin> = {
  ...{ 'usdc-erc20': 'USDC', 'usdc-bep20': 'USDC', 'usdt-erc20': 'USDT' },
  ...{ 'csk-bep20': 'CSK', pi: 'PI' },
};
export const coinOf = (asset: AssetCode): Coin => coins[asset];

/** The asset that a transfer is sent in. */
export function assetSent({ assets }: Pick<Life, 'assets'>, { way: at }: Transfer): AssetCode {
  const [own = 'pi'] = assets;
  if (at === 'sibling') return own === 'usdc-erc20' ? 'usdc-bep20' : own;
  return assets[at] ?? own;
}
