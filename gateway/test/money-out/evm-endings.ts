import fc from 'fast-check';
import { eventTopic, word } from '../../src/rails/evm/send/words.ts';
import type { RpcLog } from '../chain/rpc-proxy.ts';
import type { EvmStep } from './evm-steps.ts';
import { asks, one, works } from './schedules.ts';
import type { Step } from './steps.ts';

// Payouts that end before a reorg takes what refused them, ends that one endpoint makes up, and events that all of them
// tell wrong for a while.

/** How an event of the vault is told. */
export type Misreading = 'as refused' | 'with another amount' | 'with another id';

export type EndingStep =
  /** A token bars the n-th receiver of those that were given out last, or nobody any more. */
  { do: 'bar'; receiver: number } | { do: 'unbar' } | { do: 'misread'; how: Misreading };

const paidTopic = eventTopic('Paid(uint256,address,address,uint256)');
const refusedTopic = eventTopic('Refused(uint256,address,address,uint256,bytes4)');
const transferFailed = '90b8ec18'.padEnd(64, '0');

/** What an endpoint makes of a log; of others than payments it makes nothing else. */
export function toldOtherwise(how: Misreading): (log: RpcLog) => RpcLog {
  return (log) => {
    const [topic, id = '0x0', ...others] = log.topics;
    if (topic !== paidTopic) return log;
    if (how === 'as refused') {
      return { ...log, topics: [refusedTopic, id, ...others], data: `${log.data}${transferFailed}` };
    }
    if (how === 'with another amount') return { ...log, data: `0x${word(BigInt(log.data) + 1n)}` };
    return { ...log, topics: [paidTopic, `0x${word(BigInt(id) + 999n)}`, ...others] };
  };
}

const steps = (...all: (Step | EvmStep)[]): (Step | EvmStep)[] => all;
const mines = (blocks: number): EvmStep => ({ do: 'mine', blocks });
const reorg = (fate: 'dropped'): EvmStep => ({ do: 'reorg', depth: 9, fates: [fate] });
/** The block with both comes again without what barred the second: its old bytes pay it. */
const unbarred: EvmStep = { do: 'reorg', depth: 6, fates: ['dropped', 'moved'] };
const bars = (receiver: number): EvmStep => ({ do: 'bar', receiver });
const settles = steps(mines(5), works('read'), works('send'));
const pause: Step = { do: 'wait', seconds: 70 };
const inSecond = (thousandths: number, count: number): Step => ({ do: 'ask', asset: 1, thousandths, count });
/** Money in the asset whose token may bar a receiver. */
const funds = steps(
  ...[{ do: 'create', asset: 1 } as const, { do: 'pay', payment: 2, payer: 0, thousandths: 1000 } as const],
  ...[...settles, works('sweep'), ...settles],
);
/** Two in one transaction, of which the token refuses the second when it is mined. */
const refused = steps(...funds, inSecond(300, 2), works('send'), bars(0), ...settles);
/** Signed, and told wrong when it is read; what was read wrong is then read again. */
const misread = (how: Misreading) =>
  steps(
    asks(300, 2),
    works('send'),
    { do: 'misread', how },
    ...settles,
    { do: 'mend' },
    pause,
    works('send'),
    pause,
    works('send'),
  );

export const endingBeginnings: (Step | EvmStep)[][] = [
  [...refused, pause, ...settles, { do: 'unbar' }, reorg('dropped'), ...settles, ...settles],
  [...refused, { do: 'cancel', payout: 0 }, { do: 'unbar' }, reorg('dropped'), ...settles, ...settles],
  [...refused, { do: 'cancel', payout: 0 }, unbarred, ...settles, ...settles],
  [...refused, { do: 'give up', payout: 0 }, unbarred, ...settles, reorg('dropped'), ...settles, ...settles],
  [asks(300, 2), works('send'), { do: 'break', endpoint: 0, fault: 'counts its pool', seed: 0 }, ...settles],
  [asks(300, 2), { do: 'break', endpoint: 0, fault: 'made-up failure', seed: 0 }, works('send'), ...settles],
  misread('as refused'),
  misread('with another amount'),
  misread('with another id'),
];

export const endingSteps: { weight: number; arbitrary: fc.Arbitrary<EvmStep> }[] = [
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bar'), receiver: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unbar') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ do: fc.constant('break'), endpoint: fc.nat(2), seed: fc.nat(255) },
      fault: one('counts its pool', 'made-up failure'),
    }),
  },
];
