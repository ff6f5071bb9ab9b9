import fc from 'fast-check';
import type { Fate } from './chain-driver.ts';

// What may happen to a chain, its endpoints, its scanners and the payments on it, for fast-check to make up.

/** Two tokens of one currency, with 18 and with 6 decimals, add up; `unlisted` is in no configuration. */
export const assetCodes = ['usdc-bep20', 'usdc-erc20', 'usdt-bep20', 'csk-bep20'] as const;
export type AssetCode = (typeof assetCodes)[number];
export type TokenName = AssetCode | 'unlisted';

/** A part of what is due: thousandths of it, and so many of the token's smallest units more. */
export type Share = { thousandths: number; dust: number };

/** `payment` counts those that have been made, round and round; `own` is the first token of its currency. */
export type Intent =
  | { do: 'transfer' | 'mint'; payer: number; payment: number; token: TokenName | 'own'; share: Share }
  | { do: 'many'; payer: number; token: AssetCode; parts: { payment: number; share: Share }[] }
  | { do: 'sweep'; payer: number; token: AssetCode };

/** What happens to the chain or to a scanner in the middle of a tick, before its `at`-th step outside. */
export type Disturbance = {
  at: number;
  what: 'killed' | 'killed after' | 'reorg' | 'block' | 'overtaken' | 'reorg, overtaken';
  /** Of the reorg. */
  depth: number;
};

export type EndpointFault =
  | 'dead'
  | 'garbage'
  | 'rate limited'
  | 'lagging'
  | 'empty logs'
  | 'invented log'
  | 'one block at once'
  | 'no batches'
  | 'drops replies';

export type Step =
  | { do: 'create'; currency: 'USDC' | 'USDT' | 'CSK' }
  | { do: 'block'; transactions: Intent[] }
  | { do: 'mine'; blocks: number }
  | { do: 'reorg'; depth: number; fates: Fate[] }
  | { do: 'rollback'; depth: number }
  | { do: 'tick'; who: 0 | 1; disturbance: Disturbance | null }
  /** The sweeper of a process looks for all that may be swept, and sends; mined it is with the next block. */
  | { do: 'collect'; who: 0 | 1; disturbance: Disturbance | null }
  | { do: 'race' }
  | { do: 'restart'; who: 0 | 1 }
  | { do: 'break'; endpoint: number; fault: EndpointFault }
  | { do: 'mend' }
  | { do: 'wait'; seconds: number }
  | { do: 'cancel'; payment: number; by: 'customer' | 'merchant' }
  | { do: 'expire' | 'spend' }
  /** The blocks that were replaced last are the chain again. */
  | { do: 'return' };

/** What the operator configured, and which of two endpoints may lie: nobody can tell a lie that both agree on. */
export type Setting = {
  finality: 'finalized' | 'confirmations';
  confirmations: number;
  endpoints: 1 | 2;
  liar: 0 | 1;
};

export type Schedule = { setting: Setting; steps: Step[] };

const one = <const T>(...values: T[]) => fc.constantFrom(...values);
const payer = fc.nat(3);
const payment = fc.nat(5);
const share: fc.Arbitrary<Share> = fc.record({
  thousandths: one(0, 1, 500, 500, 999, 1000, 1000, 1000, 1000, 1500),
  dust: one(0, 0, 0, 1, 7),
});

const transfer: fc.Arbitrary<Intent> = fc.record({
  do: one('transfer', 'transfer', 'transfer', 'mint'),
  payer,
  payment,
  token: one('own', 'own', 'own', 'own', 'usdc-erc20', 'usdt-bep20', 'csk-bep20', 'unlisted'),
  share,
});
const many: fc.Arbitrary<Intent> = fc.record({
  do: fc.constant('many'),
  payer,
  token: one(...assetCodes),
  parts: fc.array(fc.record({ payment, share }), { minLength: 2, maxLength: 8 }),
});
const sweep: fc.Arbitrary<Intent> = fc.record({ do: fc.constant('sweep'), payer, token: one(...assetCodes) });

const block: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('block'),
  transactions: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: transfer },
      { weight: 2, arbitrary: many },
      { weight: 2, arbitrary: sweep },
    ),
    { minLength: 1, maxLength: 4 },
  ),
});
const mine: fc.Arbitrary<Step> = fc.record({ do: fc.constant('mine'), blocks: one(1, 1, 2, 3, 5) });
const reorg: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('reorg'),
  depth: one(1, 2, 2, 3, 4, 6, 9),
  fates: fc.array(one<Fate>('kept', 'moved', 'dropped'), { minLength: 1, maxLength: 3 }),
});
const rollback: fc.Arbitrary<Step> = fc.record({ do: fc.constant('rollback'), depth: one(1, 2, 4) });
const who = one<0 | 1>(0, 0, 1);
const tick: fc.Arbitrary<Step> = fc.record({ do: fc.constant('tick'), who, disturbance: fc.constant(null) });
const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  at: fc.nat(40),
  what: one('killed', 'killed', 'killed after', 'reorg', 'block', 'overtaken', 'reorg, overtaken'),
  depth: one(1, 2, 5),
});
const disturbed: fc.Arbitrary<Step> = fc.record({ do: fc.constant('tick'), who, disturbance });
const collect: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('collect'),
  who,
  disturbance: fc.oneof(fc.constant(null), disturbance),
});
const breakEndpoint: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('break'),
  endpoint: fc.nat(1),
  fault: one<EndpointFault>(
    ...(['dead', 'garbage', 'rate limited', 'lagging', 'empty logs', 'invented log'] as const),
    ...(['one block at once', 'no batches', 'drops replies'] as const),
  ),
});
const wait: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('wait'),
  seconds: one(1, 60, 600, 1800, 3600, 86_400),
});
const create: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('create'),
  currency: one('USDC', 'USDT', 'CSK'),
});
const cancel: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('cancel'),
  payment,
  by: one('customer', 'merchant'),
});
const plain = (name: 'race' | 'mend' | 'expire' | 'spend' | 'return'): fc.Arbitrary<Step> =>
  fc.constant({ do: name });
const restart: fc.Arbitrary<Step> = fc.record({ do: fc.constant('restart'), who });

const pays: Step = {
  do: 'block',
  transactions: [
    { do: 'transfer', payer: 0, payment: 0, token: 'own', share: { thousandths: 1000, dust: 0 } },
    { do: 'transfer', payer: 1, payment: 1, token: 'own', share: { thousandths: 1500, dust: 7 } },
  ],
};
const sweeps: Step = { do: 'block', transactions: [{ do: 'sweep', payer: 2, token: 'usdc-bep20' }] };
const books: Step[] = [
  { do: 'mine', blocks: 5 },
  { do: 'tick', who: 0, disturbance: null },
];
const collects: Step = { do: 'collect', who: 0, disturbance: null };
const loses: Step = { do: 'reorg', depth: 9, fates: ['dropped', 'kept', 'dropped'] };

const hides: Step = { do: 'break', endpoint: 0, fault: 'empty logs' };
const invents: Step = { do: 'break', endpoint: 0, fault: 'invented log' };

/** How a schedule may go on that soon comes to what is rare: lies, and money that was final, spent or swept, and is lost. */
const beginnings: Step[][] = [
  [],
  [],
  [pays],
  [pays, ...books],
  [pays, ...books, { do: 'spend' }, loses],
  [pays, ...books, sweeps, ...books, loses],
  [pays, ...books, loses, ...books, { do: 'return' }],
  [pays, ...books, collects, ...books, loses, ...books, collects, ...books],
  [hides, pays, ...books],
  [pays, invents, ...books],
];

/** Whole schedules; each begins with payments, because nothing much happens without them. */
export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    setting: fc.record<Setting>({
      finality: one('finalized', 'confirmations', 'confirmations'),
      confirmations: fc.integer({ min: 1, max: 4 }),
      endpoints: one<1 | 2>(1, 2, 2),
      liar: one<0 | 1>(0, 1),
    }),
    payments: fc.array(create, { minLength: 1, maxLength: 4 }),
    beginning: one(...beginnings),
    steps: fc.array(
      fc.oneof(
        { weight: 7, arbitrary: block },
        { weight: 4, arbitrary: mine },
        { weight: 3, arbitrary: reorg },
        { weight: 1, arbitrary: rollback },
        { weight: 1, arbitrary: plain('return') },
        { weight: 7, arbitrary: tick },
        { weight: 4, arbitrary: disturbed },
        { weight: 2, arbitrary: collect },
        { weight: 1, arbitrary: plain('race') },
        { weight: 1, arbitrary: restart },
        { weight: 2, arbitrary: breakEndpoint },
        { weight: 2, arbitrary: plain('mend') },
        { weight: 2, arbitrary: wait },
        { weight: 1, arbitrary: create },
        { weight: 1, arbitrary: cancel },
        { weight: 2, arbitrary: plain('expire') },
        { weight: 1, arbitrary: plain('spend') },
      ),
      { minLength: 8, maxLength: 30 },
    ),
  })
  .map(({ setting, payments, beginning, steps }) => ({
    setting,
    steps: [...payments, ...beginning, ...steps],
  }));
