import fc from 'fast-check';

// What may happen in the life of one payment, step by step, for fast-check to make up.

/** USDC on two networks, with 6 and 18 decimals, pays together; PI never does so with it. */
export const unitOf = { 'usdc-erc20': 1n, 'usdc-bep20': 10n ** 12n, pi: 1n } as const;
export type AssetCode = keyof typeof unitOf;
export const assetCodes = Object.keys(unitOf) as AssetCode[];

export type Transfer = { thousandths: number; asset: AssetCode };

/** `report`: the rail tells a state of a transfer, by its index. */
export type Step =
  | { do: 'report'; index: number; state: 'seen' | 'final' | 'gone' }
  | { do: 'wait'; seconds: number }
  | { do: 'cancel'; by: 'customer' | 'merchant' }
  | { do: 'decide'; how: 'accept' | 'return' | 'reject' }
  | { do: 'choose' | 'expire' | 'enough' | 'dispute' | 'spend' };

const tellStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('report'),
  index: fc.nat(3),
  state: fc.constantFrom('seen', 'final', 'gone'),
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
const otherStep: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('choose', 'expire', 'enough') });
const disputeStep: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('dispute', 'dispute', 'spend') });

const paid: Step[] = [0, 1, 2, 3].map((index) => ({ do: 'report', index, state: 'final' }));
const dayEnds: Step[] = [{ do: 'wait', seconds: 86_400 }, { do: 'expire' }];
const deadlineEnds: Step[] = [{ do: 'wait', seconds: 600 }, { do: 'expire' }];

const leaves = (index: number): Step => ({ do: 'report', index, state: 'gone' });
const refunded: Step[] = [{ do: 'decide', how: 'return' }, leaves(0), leaves(2), paid[0]!];

/** How a life may begin that soon comes into appeal, beside those that begin anyhow. */
const beginnings: Step[][] = [
  [],
  [],
  [{ do: 'choose' }, ...paid, { do: 'dispute' }],
  [{ do: 'choose' }, ...paid, { do: 'spend' }, { do: 'dispute' }],
  [paid[0]!, ...deadlineEnds],
  // Those of which a little may be missing: before and after their end, and with what leaves its chain.
  [{ do: 'choose' }, paid[0]!, { do: 'enough' }, paid[1]!],
  [{ do: 'choose' }, paid[0]!, ...deadlineEnds, { do: 'spend' }, leaves(0), paid[1]!, paid[0]!],
  [{ do: 'choose' }, paid[0]!, paid[1]!, { do: 'enough' }, { do: 'dispute' }, leaves(1)],
  // What the business owes after this it may pay out of what comes later.
  [
    ...[{ do: 'choose' } as const, paid[0]!, ...deadlineEnds],
    ...[{ do: 'decide', how: 'accept' } as const, { do: 'spend' } as const],
    ...[{ do: 'dispute' } as const, { do: 'decide', how: 'return' } as const, paid[1]!],
  ],
  [...deadlineEnds, paid[1]!, ...dayEnds],
  [{ do: 'cancel', by: 'merchant' }, paid[0]!],
  [{ do: 'report', index: 2, state: 'seen' }, ...deadlineEnds, { do: 'report', index: 2, state: 'gone' }],
  // Reorgs deeper than what is final: before and after the money was spent, disputed, or refunded.
  [{ do: 'choose' }, ...paid, leaves(0), leaves(1)],
  [{ do: 'choose' }, ...paid, { do: 'spend' }, leaves(0), leaves(1), paid[0]!],
  [{ do: 'choose' }, ...paid, { do: 'dispute' }, leaves(0), leaves(1), paid[0]!],
  [...[{ do: 'choose' } as const, ...paid, { do: 'dispute' } as const], ...refunded],
  [...[{ do: 'choose' } as const, ...paid, { do: 'spend' } as const, leaves(1)], ...refunded],
];

/**
 * Whole lives: what is asked (an amount of USDC, a price that is quoted in USDC at once, or one that its customer chose both
 * USDC and PI for), in which mode (in live mode a refund is owed until it is sent), who pays the fee, what may be sent in
 * thousandths of the amount due, and what happens.
 */
export const lives = fc
  .record({
    asks: fc.constantFrom('amount' as const, 'amount' as const, 'quoted' as const, 'open' as const),
    mode: fc.constantFrom('test' as const, 'live' as const),
    feePayer: fc.constantFrom('merchant' as const, 'customer' as const),
    transfers: fc.array(
      fc.record<Transfer>({
        thousandths: fc.constantFrom(1, 20, 250, 333, 500, 940, 960, 980, 1000, 1500),
        asset: fc.constantFrom('usdc-erc20', 'usdc-erc20', 'usdc-bep20', 'pi'),
      }),
      { minLength: 4, maxLength: 4 },
    ),
    /** A twentieth may be missing, or nothing. */
    isTolerant: fc.boolean(),
    beginning: fc.constantFrom(...beginnings),
    steps: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: tellStep },
        { weight: 3, arbitrary: waitStep },
        { weight: 2, arbitrary: otherStep },
        { weight: 3, arbitrary: decideStep },
        { weight: 3, arbitrary: disputeStep },
        { weight: 1, arbitrary: cancelStep },
      ),
      { minLength: 3, maxLength: 25 },
    ),
  })
  .map(({ beginning, steps, ...life }) => ({ ...life, steps: [...beginning, ...steps] }));
