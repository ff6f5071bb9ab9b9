import fc from 'fast-check';
import type { Fate } from './driver.ts';
import type { EndpointFault } from './endpoint.ts';
import {
  assetCodes,
  type Disturbance,
  type Intent,
  type Schedule,
  type Setting,
  type Share,
  type Step,
} from './steps.ts';

// Schedules for fast-check to make up.

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
const turns: fc.Arbitrary<Intent> = fc.record({ do: fc.constant('turns'), payer, share });
const sweep: fc.Arbitrary<Intent> = fc.record({ do: fc.constant('sweep'), payer, token: one(...assetCodes) });

const block: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('block'),
  transactions: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: transfer },
      { weight: 2, arbitrary: many },
      { weight: 1, arbitrary: turns },
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
  endpoint: fc.nat(2),
  fault: one<EndpointFault>(
    ...(['dead', 'garbage', 'rate limited', 'lagging', 'late logs', 'late logs'] as const),
    ...(['stands still', 'no bloom'] as const),
    ...(['one block at once', 'no batches', 'drops replies', 'unpadded logs'] as const),
    ...(['empty logs', 'missing logs', 'truncated logs', 'invented log'] as const),
    ...(['made-up head', 'made-up final head'] as const),
    ...(['no balance', 'empty balance', 'less balance', 'more balance'] as const),
  ),
  seed: fc.nat(255),
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
const choose: fc.Arbitrary<Step> = fc.record({ do: fc.constant('choose'), payment });
const plain = (name: 'race' | 'mend' | 'cut' | 'expire' | 'spend' | 'return'): fc.Arbitrary<Step> =>
  fc.constant({ do: name });
const until: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('until'),
  edge: one('deadline', 'deadline', 'deadline', 'late end'),
  payment,
  seconds: one(-60, -10, -1, 0, 1, 10, 60, 600),
});
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

const breaks = (fault: EndpointFault, endpoint = 0): Step => ({ do: 'break', endpoint, fault, seed: 0 });
const areLate: Step[] = [0, 1, 2].map((endpoint) => breaks('late logs', endpoint));
const untilDeadline = (seconds: number): Step => ({ do: 'until', edge: 'deadline', payment: 0, seconds });
const paysPart = (thousandths: number): Step => ({
  do: 'block',
  transactions: [0, 1].map((nth) => ({
    do: 'transfer',
    payer: nth,
    payment: nth,
    token: 'own',
    share: { thousandths, dust: 0 },
  })),
});
const mends: Step = { do: 'mend' };
const looks: Step = { do: 'tick', who: 0, disturbance: null };
/** Hidden from the first look, while the blocks that would tell are not final yet. */
const hiddenByOne: Step[] = [
  untilDeadline(-10),
  breaks('empty logs'),
  pays,
  untilDeadline(1),
  { do: 'mine', blocks: 1 },
];
const cuts: Step = { do: 'cut' };
const expires: Step = { do: 'expire' };

const looksOften: Step[] = [1, 2, 3, 4].flatMap(() => [{ do: 'mine', blocks: 1 }, looks]);
const fourMore: Step[] = Array(4).fill({ do: 'create', currency: 'USDC' });
const takesTurns: Step = {
  do: 'block',
  transactions: [{ do: 'turns', payer: 0, share: { thousandths: 500, dust: 0 } }],
};

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
  [breaks('empty logs'), pays, ...books],
  [pays, breaks('invented log'), ...books],
  [pays, looks, breaks('made-up final head'), looks, pays, mends, ...books],
  [pays, looks, breaks('no balance'), ...books, ...books],
  [pays, looks, breaks('empty balance'), ...books, mends, ...books],
  [...areLate, pays, ...looksOften, mends],
  [...areLate, looks, pays, { do: 'wait', seconds: 60 }, looks, ...books, ...books],
  [breaks('missing logs'), pays, looks, pays, ...books, ...books],
  [breaks('truncated logs'), pays, ...books, ...books],
  [breaks('unpadded logs'), pays, ...books, mends, ...books],
  [...fourMore, takesTurns, ...books],
  // Paid while the gateway is down: in time whole, in time by half, and late.
  [untilDeadline(-60), pays, untilDeadline(60), expires, ...books],
  [untilDeadline(-60), paysPart(500), looks, untilDeadline(-1), paysPart(500), untilDeadline(60), expires],
  [untilDeadline(1), pays, expires, ...books],
  [...hiddenByOne, looks, expires],
  [breaks('no bloom'), ...hiddenByOne, looks, expires],
  // The same while no endpoint answers.
  [untilDeadline(-60), cuts, pays, looks, untilDeadline(60), looks, expires, looks, mends, expires, ...books],
  [paysPart(500), looks, cuts, untilDeadline(-1), paysPart(500), untilDeadline(600), looks, expires, mends],
];

/** The first payments, most of whose customers know where to pay. */
function opened({ made, isShown }: { made: Step; isShown: boolean }, payment: number): Step[] {
  return isShown ? [made, { do: 'choose', payment }] : [made];
}

/** Whole schedules; each begins with payments, because nothing much happens without them. */
export const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    setting: fc.record<Setting>({
      finality: one('finalized', 'confirmations', 'confirmations'),
      confirmations: fc.integer({ min: 1, max: 4 }),
      endpoints: one<1 | 2 | 3>(1, 2, 2, 3, 3),
      liar: one<0 | 1 | 2>(0, 1, 2),
      isBelieved: one(false, false, false, true),
      aheadSeconds: one(0, 0, 0, 60, 3_600, -60, -3_600),
    }),
    payments: fc.array(fc.record({ made: create, isShown: one(true, true, true, false) }), {
      minLength: 1,
      maxLength: 4,
    }),
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
        { weight: 4, arbitrary: breakEndpoint },
        { weight: 1, arbitrary: plain('cut') },
        { weight: 3, arbitrary: plain('mend') },
        { weight: 2, arbitrary: wait },
        { weight: 2, arbitrary: until },
        { weight: 1, arbitrary: create },
        { weight: 1, arbitrary: choose },
        { weight: 1, arbitrary: cancel },
        { weight: 2, arbitrary: plain('expire') },
        { weight: 1, arbitrary: plain('spend') },
      ),
      { minLength: 8, maxLength: 30 },
    ),
  })
  .map(({ setting, payments, beginning, steps }) => ({
    setting,
    steps: [...payments.flatMap(opened), ...beginning, ...steps],
  }));
