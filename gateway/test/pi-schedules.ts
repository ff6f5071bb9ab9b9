import fc from 'fast-check';

// What may happen to the Pi network, its Horizons, the processes that read it and the payments on it, for
// fast-check to make up.

/** A part of what is due: thousandths of it, and so many stroops more. */
export type Share = { thousandths: number; dust: number };

/**
 * How a transaction says whose its money is: `memo` as it is shown, or written carelessly; `muxed`: the number of
 * the payment in the destination, beside no memo or another one; `both`: memo of one payment, number of the next.
 * The others name no payment: nothing, a memo with one wrong character, any text, another kind of memo.
 */
export const markings = [
  ...(['memo', 'careless', 'muxed', 'muxed beside a text', 'both'] as const),
  ...(['none', 'mistyped', 'text', 'id', 'hash'] as const),
] as const;
export type Marking = (typeof markings)[number];

/**
 * `exchange` sends another asset of which PI arrives, `exchange away` PI of which the other asset arrives; a `merge`
 * brings all that a fresh account has. The last three bring no PI to the account.
 */
export type Operation = {
  op:
    | ('payment' | 'path send' | 'path receive' | 'exchange' | 'merge')
    | ('exchange away' | 'other asset' | 'elsewhere');
  share: Share;
};

/** `payment` counts those that have been made, round and round. `fails`: its last operation cannot be done. */
export type Deposit = {
  do: 'deposit';
  payer: number;
  payment: number;
  marking: Marking;
  operations: Operation[];
  fails: boolean;
};

/**
 * Somebody else with the account's key. `to itself`: out and in at once. `for a payer`: the payer's transaction, and
 * fee, with an operation of the account. `from a payer`: the other way round. `no payment`: nothing moves.
 */
export type Withdrawal = {
  do: 'withdraw';
  how:
    | ('payment' | 'several' | 'exchange' | 'new account' | 'to itself')
    | ('for a payer' | 'from a payer' | 'fails' | 'no payment');
  units: number;
};

/** What happens in the middle of a round, before its `at`-th exchange with the database or a Horizon. */
export type Disturbance = { at: number; what: 'killed' | 'killed after' | 'ledger' | 'overtaken' };

export const horizonFaults = [
  ...(['gateway timeout', 'rate limited', 'broken', 'truncated', 'empty', 'behind'] as const),
  ...(['html', 'reset', 'reset after'] as const),
] as const;
export type HorizonFault = (typeof horizonFaults)[number];

export type Who = 0 | 1;

export type Step =
  | { do: 'create'; amount: number }
  | { do: 'ledger'; transactions: (Deposit | Withdrawal)[] }
  | { do: 'ledgers'; count: number }
  | { do: 'read'; who: Who; disturbance: Disturbance | null }
  | { do: 'race' }
  | { do: 'restart'; who: Who }
  /** The next `times` answers of a Horizon are wrong. */
  | { do: 'break'; horizon: number; fault: HorizonFault; times: number }
  | { do: 'mend' }
  | { do: 'wait'; seconds: number }
  | { do: 'cancel'; payment: number; by: 'customer' | 'merchant' }
  | { do: 'expire' | 'spend' };

/** `isDemo`: the account is read from its beginning. */
export type Setting = { horizons: 1 | 2; isDemo: boolean };

export type Schedule = { setting: Setting; steps: Step[] };

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
    ...(['for a payer', 'fails', 'no payment'] as const),
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
const read: fc.Arbitrary<Step> = fc.record({ do: fc.constant('read'), who, disturbance: fc.constant(null) });
const disturbed: fc.Arbitrary<Step> = fc.record({ do: fc.constant('read'), who, disturbance });
const breakHorizon: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('break'),
  horizon: fc.nat(1),
  fault: one(...horizonFaults),
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
const ledgers: fc.Arbitrary<Step> = fc.record({ do: fc.constant('ledgers'), count: one(1, 1, 2, 5) });
const restart: fc.Arbitrary<Step> = fc.record({ do: fc.constant('restart'), who });
const plain = (name: 'race' | 'mend' | 'expire' | 'spend'): fc.Arbitrary<Step> => fc.constant({ do: name });

/** Whole schedules; each begins with payments, because nothing much happens without them. */
export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    setting: fc.record<Setting>({ horizons: one<1 | 2>(1, 2, 2), isDemo: one(false, false, true) }),
    payments: fc.array(create, { minLength: 1, maxLength: 4 }),
    steps: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: ledger },
        { weight: 1, arbitrary: ledgers },
        { weight: 6, arbitrary: read },
        { weight: 5, arbitrary: disturbed },
        { weight: 1, arbitrary: plain('race') },
        { weight: 1, arbitrary: restart },
        { weight: 3, arbitrary: breakHorizon },
        { weight: 2, arbitrary: plain('mend') },
        { weight: 2, arbitrary: wait },
        { weight: 1, arbitrary: create },
        { weight: 1, arbitrary: cancel },
        { weight: 2, arbitrary: plain('expire') },
        { weight: 1, arbitrary: plain('spend') },
      ),
      { minLength: 1, maxLength: 40, size: 'max' },
    ),
  })
  .map(({ setting, payments, steps }) => ({ setting, steps: [...payments, ...steps] }));
