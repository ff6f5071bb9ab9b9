import fc from 'fast-check';
import type { Fate } from '../chain/driver.ts';
import type { EndpointFault } from '../chain/endpoint.ts';
import type { Setting } from '../chain/steps.ts';
import { type EndingStep, endingBeginnings, endingSteps } from './evm-endings.ts';
import { asks, one, refunds, schedulesOf, works } from './schedules.ts';
import type { Step } from './steps.ts';

// What happens to an EVM chain, its endpoints, the vault and its signer in a schedule of money that leaves.

export type EvmStep =
  | { do: 'mine'; blocks: number }
  | { do: 'reorg'; depth: number; fates: Fate[] }
  | { do: 'rollback'; depth: number }
  /** The blocks that were replaced last are the chain again. */
  | { do: 'come back' }
  /** The admin: `little` leaves a limit that one payout uses up; `drained`: all is taken out. */
  | {
      do: 'vault';
      is: 'paused' | 'open' | 'little' | 'unlimited' | 'drained' | 'funded' | "another's" | 'ours';
    }
  | { do: 'gas'; is: 'empty' | 'full' }
  /** What the next block asks for: more than a transaction on its way offers, or more than is ever offered. */
  | { do: 'base fee'; gwei: 1 | 20 | 300 }
  /** Somebody else with the signer's key uses its next nonce. */
  | { do: 'nonce' }
  | { do: 'break'; endpoint: number; fault: EndpointFault; seed: number }
  /** All endpoints are silent until they are mended. */
  | { do: 'cut' }
  | EndingStep;

/** `intoVault`: deposits are swept into the vault itself, else to a treasury from where the operator funds it. */
export type EvmSetting = Omit<Setting, 'isBelieved'> & { intoVault: boolean };

const reorg: fc.Arbitrary<EvmStep> = fc.record({
  ...{ do: fc.constant('reorg'), depth: one(1, 1, 2, 2, 3, 4, 6, 9) },
  fates: fc.array(one<Fate>('kept', 'moved', 'moved', 'dropped'), { minLength: 1, maxLength: 3 }),
});
const vault: fc.Arbitrary<EvmStep> = fc.record({
  do: fc.constant('vault'),
  is: one('paused', 'open', 'little', 'little', 'unlimited', 'drained', 'funded', "another's", 'ours'),
});
const breakEndpoint: fc.Arbitrary<EvmStep> = fc.record({
  ...{ do: fc.constant('break'), endpoint: fc.nat(2), seed: fc.nat(255) },
  fault: one<EndpointFault>(
    ...(['dead', 'garbage', 'rate limited', 'lagging', 'late logs', 'stands still', 'no bloom'] as const),
    ...(['one block at once', 'no batches', 'drops replies', 'drops replies', 'drops replies'] as const),
    ...(['empty logs', 'missing logs', 'truncated logs', 'unpadded logs'] as const),
    ...(['made-up head', 'made-up final head'] as const),
    ...(['no balance', 'empty balance', 'less balance', 'more balance'] as const),
  ),
});

const mines = (blocks: number): EvmStep => ({ do: 'mine', blocks });
const vaultIs = (is: Extract<EvmStep, { do: 'vault' }>['is']): EvmStep => ({ do: 'vault', is });
const breaks = (fault: EndpointFault, endpoint = 0): EvmStep => ({ do: 'break', endpoint, fault, seed: 0 });
const reorgs = (depth: number, ...fates: Fate[]): EvmStep => ({ do: 'reorg', depth, fates });
const reads: Step = works('read');
const sends: Step = works('send');
const settles: (Step | EvmStep)[] = [mines(5), reads, sends];
/** Asked for, signed, mined, and final. */
const pays: (Step | EvmStep)[] = [asks(300, 2), sends, ...settles];

/** How a schedule may go on that soon comes to what is rare. */
const beginnings: (Step | EvmStep)[][] = [
  [],
  [],
  [asks(300, 2), sends],
  [asks(300, 2), sends, mines(1), sends, reorgs(1, 'dropped'), sends],
  [asks(300, 2), sends, mines(1), sends, reorgs(2, 'moved'), sends],
  // Final blocks: taken back, or with the payouts in other blocks.
  [...pays, reorgs(9, 'dropped'), ...settles],
  [...pays, reorgs(9, 'moved'), ...settles],
  [...pays, reorgs(9, 'kept'), ...settles],
  [...pays, reorgs(9, 'dropped'), ...settles, { do: 'come back' }, ...settles],
  // Another order gets the nonce of a payout that a reorg took, before the scan has seen it.
  [...pays, reorgs(9, 'dropped'), asks(500), sends, ...settles, ...settles],
  [...pays, asks(300), sends, reorgs(9, 'dropped', 'kept'), asks(500), sends, ...settles],
  [vaultIs('little'), asks(1000, 3), sends, ...settles],
  [asks(300, 3), sends, vaultIs('paused'), ...settles, vaultIs('open')],
  [asks(300), breaks('drops replies'), sends, mines(1), sends, ...settles],
  [asks(300), { do: 'gas', is: 'empty' }, sends, mines(1), { do: 'gas', is: 'full' }],
  [asks(300), sends, { do: 'base fee', gwei: 20 }, mines(1), { do: 'wait', seconds: 70 }, sends, mines(2)],
  [asks(300), sends, { do: 'nonce' }, sends, ...settles, ...settles],
  [asks(300), sends, breaks('empty logs'), ...settles, { do: 'wait', seconds: 130 }, ...settles],
  [...[0, 1, 2].map((at) => breaks('late logs', at)), asks(300), sends, ...settles, { do: 'mend' }],
  [refunds(null, true), sends, ...settles],
  [refunds(3, false), { do: 'claim', refund: 0 }, sends, ...settles, reorgs(9, 'moved'), ...settles],
  // The deposit leaves the chain while what it paid for is under way.
  [asks(1000), sends, reorgs(9, 'dropped'), ...settles],
  [refunds(10, true), reorgs(9, 'dropped'), ...settles],
];

export const evmSchedules = schedulesOf<EvmStep, EvmSetting>({
  setting: fc.record<EvmSetting>({
    finality: one('finalized', 'confirmations', 'confirmations'),
    confirmations: fc.integer({ min: 1, max: 4 }),
    endpoints: one<1 | 2 | 3>(1, 2, 2, 3, 3),
    liar: one<0 | 1 | 2>(0, 1, 2),
    aheadSeconds: one(0, 0, 60, 3_600, -60, -3_600),
    intoVault: one(true, true, false),
  }),
  booked: [mines(5), reads, works('sweep'), ...settles],
  beginnings: [...beginnings, ...endingBeginnings],
  steps: [
    ...endingSteps,
    { weight: 7, arbitrary: fc.record({ do: fc.constant('mine'), blocks: one(1, 1, 2, 3, 5) }) },
    { weight: 4, arbitrary: reorg },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('rollback'), depth: one(1, 2, 4) }) },
    { weight: 1, arbitrary: fc.record({ do: one('come back', 'cut') }) },
    { weight: 4, arbitrary: vault },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('gas'), is: one('empty', 'full') }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('base fee'), gwei: one(1, 20, 300) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('nonce') }) },
    { weight: 4, arbitrary: breakEndpoint },
  ],
});
