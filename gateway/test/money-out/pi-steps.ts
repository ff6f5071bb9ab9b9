import fc from 'fast-check';
import { type Answered, type HorizonFault, horizonFaults } from '../pi/steps.ts';
import { asks, one, refunds, schedulesOf, works } from './schedules.ts';
import type { Step } from './steps.ts';

// What happens to the Pi network and its Horizons in a schedule of money that leaves.

export type PiStep =
  | { do: 'ledgers'; count: number }
  /** Somebody else with the account's key sends a part of what it holds, in thousandths. */
  | { do: 'by hand'; thousandths: number }
  /** What the network asks for, in stroops: more than is ever offered, at the highest. */
  | { do: 'fee'; stroops: 100_000 | 150_000 | 2_000_000 }
  /** Money without a memo comes, and an operator has the n-th of it sent back. */
  | { do: 'stray'; payer: number; units: number }
  | { do: 'send back'; deposit: number }
  | { do: 'break'; horizon: number; fault: HorizonFault; of: Answered; times: number };

/** `first`: which of the world's Horizons is the first or only one of the configuration. */
export type PiSetting = { horizons: 1 | 2; first: 0 | 1 };

const byHand: fc.Arbitrary<PiStep> = fc.record({
  ...{ do: fc.constant('by hand'), thousandths: one(1, 10, 990) },
});
const breakHorizon: fc.Arbitrary<PiStep> = fc.record({
  ...{ do: fc.constant('break'), horizon: fc.nat(1), times: one(1, 1, 2, 5, 1000) },
  fault: one<HorizonFault>(...horizonFaults, 'taken all the same', 'reset after', 'gateway timeout'),
  of: one<Answered>('anything', 'payments', 'payments', 'effects', 'transactions', 'transactions'),
});

const closes = (count: number): PiStep => ({ do: 'ledgers', count });
const breaks = (fault: HorizonFault, of: Answered, times = 1): PiStep[] =>
  [0, 1].map((horizon) => ({ do: 'break', horizon, fault, of, times }));
const reads: Step = works('read');
const sends: Step = works('send');
/** Asked for, signed, in a ledger, and read. */
const settles: (Step | PiStep)[] = [closes(1), sends, reads];

const beginnings: (Step | PiStep)[][] = [
  [],
  [],
  [asks(300, 2), sends, ...settles],
  [asks(300, 2), ...breaks('taken all the same', 'transactions'), sends, ...settles],
  [asks(300, 2), ...breaks('gateway timeout', 'transactions', 5), sends, ...settles],
  [asks(300, 2), ...breaks('reset after', 'transactions', 2), sends, ...settles],
  [asks(300, 2), sends, { do: 'wait', seconds: 130 }, closes(1), sends, ...settles],
  [asks(300), sends, ...breaks('behind', 'anything'), { do: 'wait', seconds: 130 }, sends, ...settles],
  [asks(300), { do: 'by hand', thousandths: 10 }, sends, ...settles],
  [asks(1000), { do: 'by hand', thousandths: 990 }, closes(1), sends, ...settles],
  [asks(300), { do: 'fee', stroops: 150_000 }, sends, ...settles],
  [asks(300), { do: 'fee', stroops: 2_000_000 }, sends, ...settles],
  [...breaks('leaves out', 'payments', 1000), asks(300, 2), sends, ...settles, ...settles],
  [refunds(null, true), sends, ...settles],
  [refunds(3, false), { do: 'claim', refund: 0 }, sends, ...settles],
  [{ do: 'stray', payer: 0, units: 5_000_000 }, closes(1), reads, { do: 'send back', deposit: 0 }, sends],
];

export const piSchedules = schedulesOf<PiStep, PiSetting>({
  setting: fc.record<PiSetting>({ horizons: one<1 | 2>(1, 2), first: one<0 | 1>(0, 1) }),
  booked: [closes(1), reads],
  beginnings,
  steps: [
    { weight: 8, arbitrary: fc.record({ do: fc.constant('ledgers'), count: one(1, 1, 1, 2, 5) }) },
    { weight: 2, arbitrary: byHand },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('fee'), stroops: one(100_000, 150_000, 2_000_000) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        ...{ do: fc.constant('stray'), payer: fc.nat(1), units: fc.integer({ min: 1, max: 50_000_000 }) },
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('send back'), deposit: fc.nat(3) }) },
    { weight: 5, arbitrary: breakHorizon },
  ],
});
