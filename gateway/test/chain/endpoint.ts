import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { firstOnly, unpadded } from './rpc-logs.ts';
import { atRandom, hex, inventedLog, type RpcFaults, type RpcLog, startRpcProxy } from './rpc-proxy.ts';

export type EndpointFault =
  | 'dead'
  | 'garbage'
  | 'rate limited'
  | 'lagging'
  | 'stands still'
  | 'late logs'
  | 'no bloom'
  | 'one block at once'
  | 'no batches'
  | 'drops replies'
  | 'unpadded logs'
  | EndpointLie;

/** What no other endpoint of the chain would say. */
export type EndpointLie =
  | 'empty logs'
  | 'missing logs'
  | 'truncated logs'
  | 'invented log'
  | 'made-up head'
  | 'made-up final head'
  | 'no balance'
  | 'empty balance'
  | 'less balance'
  | 'more balance'
  | 'counts its pool'
  | 'made-up failure';

/** What a lie is about: a transfer to this address in the chain's last block, and which logs are left out. */
export type Lie = {
  token: Hex;
  to: Hex;
  units: bigint;
  block: { number: bigint; hash: Hex };
  seed: number;
};

export type BrittleEndpoint = Awaited<ReturnType<typeof startBrittle>>;

const madeUpBlocks = 5_000;
const bloomOf = (digit: string): Hex => `0x${digit.repeat(512)}`;

const lies: Record<EndpointLie, (lie: Lie) => Partial<RpcFaults>> = {
  'empty logs': () => ({ hides: true }),
  'missing logs': ({ seed }) => ({ hides: atRandom(seed, 0.5) }),
  'truncated logs': () => ({ alters: firstOnly(1) }),
  'invented log': (lie) => ({ invents: [inventedLog({ from: lie.token, ...lie })] }),
  'made-up head': ({ block }) => ({
    madeUp: { after: block.number, blocks: madeUpBlocks, isFinal: false },
  }),
  'made-up final head': ({ block }) => ({
    madeUp: { after: block.number, blocks: madeUpBlocks, isFinal: true },
  }),
  'no balance': () => ({ balances: () => '0x0' }),
  'empty balance': () => ({ balances: () => '0x' }),
  'less balance': () => ({ balances: (units) => hex(units / 2n) }),
  'counts its pool': () => ({ countsPool: true }),
  'made-up failure': () => ({ failsAll: true }),
  'more balance': () => ({ balances: (units) => hex(units * 2n + 10n ** 20n) }),
};
const breaking: Record<EndpointFault, (lie: Lie) => Partial<RpcFaults>> = {
  ...lies,
  dead: () => ({ dead: true }),
  garbage: () => ({ garbage: 'truncated' }),
  'rate limited': () => ({ rateLimited: true }),
  lagging: () => ({ lagBlocks: 2 }),
  'stands still': ({ block }) => ({ standsAt: block.number }),
  'late logs': () => ({ lagLogBlocks: 3 }),
  'no bloom': ({ seed }) => ({ bloom: ['missing' as const, bloomOf('0'), bloomOf('f')][seed % 3]! }),
  'one block at once': () => ({ maxBlocks: 1 }),
  'no batches': () => ({ refusesBatches: true }),
  'drops replies': () => ({ dropEvery: 3 }),
  'unpadded logs': () => ({ alters: unpadded }),
};

export const isLie = (fault: EndpointFault): fault is EndpointLie => fault in lies;
/** Whether transfers that are on the chain are not in its answers. */
export const hidesLogs = (fault: EndpointFault): boolean =>
  fault === 'empty logs' || fault === 'missing logs' || fault === 'truncated logs' || fault === 'late logs';

/** An endpoint of a chain that can be broken in the ways of a schedule, one after the other, until it is mended. */
export async function startBrittle(nodeUrl: string) {
  const { url, faults, mend, close } = await startRpcProxy(nodeUrl);
  let broken: EndpointFault[] = [];
  let aheadSeconds = 0;
  return {
    ...{ url, close },
    breaks(fault: EndpointFault, lie: Lie): void {
      broken.push(fault);
      Object.assign(faults, breaking[fault](lie));
    },
    mend(): void {
      broken = [];
      mend();
      faults.blocksLateSeconds = aheadSeconds;
    },
    /** Every block has a time that is so much later, whatever is broken or mended. */
    runsAhead(seconds: number): void {
      aheadSeconds = seconds;
      faults.blocksLateSeconds = seconds;
    },
    /** Tells the logs of this contract in another way, as all endpoints may do for a moment. */
    misreads(told: ((log: RpcLog) => RpcLog) | null): void {
      faults.alters = told && ((logs) => logs.map(told));
    },
    /** What is wrong with it now. */
    broken: (): readonly EndpointFault[] => broken,
  };
}
