import fc from 'fast-check';
import {
  type Answered,
  type Deal,
  type Deposit,
  type Disturbance,
  type HorizonFault,
  horizonFaults,
  type Marking,
  markings,
  type Operation,
  type Part,
  platformFaults,
  type Recipient,
  type Schedule,
  type Setting,
  type Share,
  type Step,
  type Who,
  type Withdrawal,
} from './steps.ts';

// Schedules for fast-check to make up.

const one = <const T>(...values: T[]) => fc.constantFrom(...values);
const payment = fc.nat(5);
const who = one<Who>(0, 0, 1);
const share: fc.Arbitrary<Share> = fc.record({
  thousandths: one(0, 1, 500, 500, 999, 1000, 1000, 1000, 1000, 1500),
  dust: one(1, 1, 1, 2, 7).map((dust) => dust - 1),
});

const operation: fc.Arbitrary<Operation> = fc.record({
  op: one<Operation['op']>(
    ...(['payment', 'payment', 'payment', 'path send', 'path receive', 'exchange', 'merge'] as const),
    ...(['exchange away', 'other asset', 'elsewhere'] as const),
  ),
  share,
});

const deposit: fc.Arbitrary<Deposit> = fc.record({
  do: fc.constant('deposit'),
  payer: fc.nat(3),
  payment,
  marking: one<Marking>('memo', 'memo', 'memo', 'memo', ...markings),
  operations: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(operation) },
    { weight: 1, arbitrary: fc.array(operation, { minLength: 2, maxLength: 8 }) },
  ),
  fails: one(false, false, false, false, false, true),
});

const withdrawal: fc.Arbitrary<Withdrawal> = fc.record({
  do: fc.constant('withdraw'),
  how: one<Withdrawal['how']>(
    ...(['payment', 'payment', 'several', 'exchange', 'new account', 'to itself'] as const),
    ...(['for a payer', 'from a payer', 'fails', 'no payment'] as const),
  ),
  units: fc.integer({ min: 1, max: 50_000_000 }),
});

const ledger: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('ledger'),
  transactions: fc.array(fc.oneof({ weight: 5, arbitrary: deposit }, { weight: 1, arbitrary: withdrawal }), {
    minLength: 1,
    maxLength: 4,
  }),
});
const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  at: fc.nat(30),
  what: one<Disturbance['what']>('killed', 'killed', 'killed after', 'ledger', 'overtaken'),
});
const part = one<Part>('pi', 'pi', 'pi', 'pi sending', 'pi sending', 'pi platform');
const work: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('work'),
  ...{ part, who, disturbance: fc.constant(null) },
});
const disturbed: fc.Arbitrary<Step> = fc.record({ do: fc.constant('work'), part, who, disturbance });
const deal: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('deal'),
  what: one<Deal['what']>(
    ...(['begin', 'approve', 'approve', 'pay', 'pay', 'complete', 'complete'] as const),
    ...(['cancel', 'incomplete', 'give up'] as const),
  ),
  ...{ deal: fc.nat(2), payment, user: fc.nat(2) },
  isRight: one(true, true, true, false),
  who,
  disturbance: fc.oneof(fc.constant(null), disturbance),
});
const breakPlatform: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('break platform'),
  fault: one(...platformFaults),
  times: one(1, 1, 2, 1000),
});
const to = one<Recipient>('payer', 'payer', 'part', 'nobody');
const decide: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('decide'),
  how: one('assign', 'return', 'return', 'keep', 'claim'),
  ...{ deposit: fc.nat(3), payment, to },
});
const refundPayment: fc.Arbitrary<Step> = fc.record({ do: fc.constant('refund payment'), payment });
const refund: fc.Arbitrary<Step> = fc.record({ do: fc.constant('refund'), refund: fc.nat(3), to });
const breakHorizon: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('break'),
  horizon: fc.nat(1),
  fault: one(...horizonFaults),
  of: one<Answered>('anything', 'payments', 'payments', 'effects', 'transactions'),
  times: one(1, 1, 2, 5, 1000),
});
const create: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('create'),
  amount: one(10, 12.5, 33.3333333),
});
const cancel: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('cancel'),
  payment,
  by: one('customer', 'merchant'),
});
const wait: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('wait'),
  seconds: one(1, 60, 600, 1800, 3600, 86_400),
});
const trouble: fc.Arbitrary<Step> = fc.record({ do: fc.constant('trouble'), payment });
const ledgers: fc.Arbitrary<Step> = fc.record({ do: fc.constant('ledgers'), count: one(1, 1, 2, 5) });
const restart: fc.Arbitrary<Step> = fc.record({ do: fc.constant('restart'), who });
const plain = (name: 'race' | 'mend' | 'expire' | 'spend'): fc.Arbitrary<Step> => fc.constant({ do: name });

const reads: Step = { do: 'work', part: 'pi', who: 0, disturbance: null };
const sends: Step = { do: 'work', part: 'pi sending', who: 0, disturbance: null };
const step = (what: Deal['what']): Step => ({
  ...{ do: 'deal', what, deal: 0, payment: 0, user: 0, isRight: true, who: 0, disturbance: null },
});
const paid = (marking: Marking, thousandths: number, payer = 0): Step => ({
  do: 'ledger',
  transactions: [
    {
      ...{ do: 'deposit', payer, payment: 0, marking, fails: false },
      operations: [{ op: 'payment', share: { thousandths, dust: 0 } }],
    },
  ],
});
const aLedger: Step = { do: 'ledgers', count: 1 };
const aMinute: Step = { do: 'wait', seconds: 60 };
const cancelled: Step = { do: 'cancel', payment: 0, by: 'customer' };
const later: Step[] = [
  { do: 'wait', seconds: 3600 },
  { do: 'work', part: 'pi platform', who: 0, disturbance: null },
];
const claimed: Step = { do: 'decide', how: 'claim', deposit: 0, payment: 0, to: 'payer' };
const sentBack: Step = { do: 'decide', how: 'return', deposit: 0, payment: 0, to: 'payer' };

const broken = (fault: HorizonFault, of: Answered, times: number): Step[] =>
  [0, 1].map((horizon) => ({ do: 'break', horizon, fault, of, times }));
const half: Step = paid('memo', 500);

/** Something is left out of every page, so that the cursor comes behind it; with a balance that is wrong besides. */
const leftOut: Step[] = [...broken('leaves out', 'payments', 1000), half, half, reads, half, reads];
const leftOutAndWrong: Step[] = [...leftOut, ...broken('wrong balance', 'anything', 2), reads, reads];

/** Half is seen; the rest comes in time, while nobody can read it, and the deadline passes. */
const outage: Step[] = [
  ...[half, reads, ...broken('reset', 'anything', 1000), paid('memo', 500, 1), reads],
  ...[{ do: 'wait', seconds: 3600 } as const, aLedger, reads, { do: 'expire' } as const],
];

/**
 * Half came in time. The rest came too late, marked as a payment in the Pi Browser that its customer gave up, and is no
 * longer the payment's; more comes in its place, before the balance shows that the account was read up to the deadline.
 */
const lateAndLost: Step[] = [
  ...[step('begin'), step('approve'), half, { do: 'wait', seconds: 600 } as const],
  ...[
    ...broken('wrong balance', 'anything', 1000),
    paid('identifier', 1000),
    step('give up'),
    reads,
    ...later,
  ],
  ...[paid('memo', 500, 1), reads, { do: 'mend' } as const],
];

/** A network that is slow to answer, which a sender must not take for one that has done nothing. */
const sentLate: Step[] = [
  ...[paid('none', 500), reads, sentBack, aLedger, sends, sends],
  ...[aLedger, aMinute, aLedger, sends, aLedger],
];

/** How a schedule may go on that soon comes to what is rare: payments in the Pi Browser, and money that goes back. */
const beginnings: Step[][] = [
  [],
  [],
  [paid('memo', 1000), reads],
  [step('begin'), step('approve')],
  [step('begin'), step('approve'), step('pay')],
  [step('begin'), step('approve'), step('pay'), reads, step('complete')],
  [
    ...[step('begin'), step('approve'), step('pay'), reads],
    ...[{ do: 'break platform', fault: 'refuses', times: 1000 } as const, ...later, ...later, ...later],
  ],
  [paid('none', 1000), reads, claimed, paid('memo', 1), reads],
  [paid('none', 1000), reads, claimed, paid('memo', 1, 1), reads],
  [paid('none', 500), reads, sentBack, sends],
  leftOut,
  leftOut,
  leftOutAndWrong,
  outage,
  outage,
  lateAndLost,
  sentLate,
  sentLate,
  sentLate,
  [paid('none', 500), reads, sentBack],
  [cancelled, paid('memo', 1000), reads, { do: 'refund payment', payment: 0 }],
  [
    cancelled,
    paid('memo', 1000),
    reads,
    { do: 'refund payment', payment: 0 },
    { do: 'refund', refund: 0, to: 'payer' },
  ],
];

/** Whole schedules; each begins with payments, because nothing much happens without them. */
export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    setting: fc.record<Setting>({
      horizons: one<1 | 2>(1, 2),
      first: one<0 | 1>(0, 1),
      isDemo: one(false, false, true),
      aheadSeconds: one(0, 0, 0, 60, 3_600, -30),
    }),
    payments: fc.array(create, { minLength: 1, maxLength: 4 }),
    beginning: one(...beginnings),
    steps: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: ledger },
        { weight: 1, arbitrary: ledgers },
        { weight: 6, arbitrary: work },
        { weight: 6, arbitrary: disturbed },
        { weight: 5, arbitrary: deal },
        { weight: 1, arbitrary: breakPlatform },
        { weight: 3, arbitrary: decide },
        { weight: 2, arbitrary: refundPayment },
        { weight: 3, arbitrary: refund },
        { weight: 1, arbitrary: plain('race') },
        { weight: 1, arbitrary: restart },
        { weight: 3, arbitrary: breakHorizon },
        { weight: 2, arbitrary: plain('mend') },
        { weight: 1, arbitrary: trouble },
        { weight: 2, arbitrary: wait },
        { weight: 1, arbitrary: create },
        { weight: 1, arbitrary: cancel },
        { weight: 2, arbitrary: plain('expire') },
        { weight: 1, arbitrary: plain('spend') },
      ),
      { minLength: 1, maxLength: 40, size: 'max' },
    ),
  })
  .map(({ setting, payments, beginning, steps }) => ({
    setting,
    steps: [...payments, ...beginning, ...steps],
  }));
