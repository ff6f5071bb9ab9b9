import { type Clock, systemClock } from '../../../kit/clock.ts';
import { guardedAgent, type Reach } from '../../../kit/net/safe-fetch.ts';
import { smallNumber } from '../../../money/small-number.ts';
import type { FaultKind } from '../../endpoint-fault.ts';
import type { ChainConfig } from '../config/chains.ts';
import { type Header, headerCall, hexNumber, numberOf, requireHeader } from './block.ts';
import { agentOptions } from './post.ts';
import { createRpc, type Rpc, type RpcCall } from './rpc.ts';
import { RpcFault } from './rpc-fault.ts';

/** One thing that is wrong with an endpoint, and what an operator can do about it. */
export type TrialFault = { code: TrialFaultCode; message: string; todo: string };

export type TrialFaultCode =
  | FaultKind
  | 'head_old'
  | 'head_in_future'
  | 'no_finalized_block'
  | 'no_logs'
  | 'short_history'
  | 'slow';

/** What an endpoint shows when it is tried; null: it did not show that. */
export type EndpointTrial = {
  /** Its host. The rest of its address may be a key, and is never told. */
  host: string;
  chainId: number | null;
  /** The number of its newest block. */
  head: number | null;
  headAgeSeconds: number | null;
  /** `finalized`: it says which block is final; `depth`: only the number of blocks above can be counted. */
  finality: 'finalized' | 'depth' | null;
  /** So many blocks before its newest one it still gives logs. */
  archiveBlocks: number | null;
  /** How long it takes to answer one call, in milliseconds. */
  medianMs: number | null;
  /** The gravest first; empty: nothing is wrong. */
  faults: TrialFault[];
};

/** The chain that the endpoint should serve; null: any, and only what it shows is told. */
export type TriedChain = Pick<ChainConfig, 'id' | 'blockSeconds' | 'finality' | 'tokens'>;

export type EndpointTrialOptions = {
  /** An http or https address. */
  url: string;
  chain: TriedChain | null;
  now?: Clock;
  /** A monotonic clock, in milliseconds. */
  nowMs?: () => number;
  /** `any` for an endpoint of the configuration, else what the person who typed the address may reach. */
  reach: Reach;
  /** For one call. */
  timeoutMs?: number;
};

const calls = 5;
const depths = [1, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const slowMs = 1_500;
const daySeconds = 24 * 3600;
/** What a gateway needs of a chain whose block time is not known here. */
const defaultDepth = 10_000;
const clockSkewSeconds = 30;

/**
 * Tries one endpoint by about a dozen small calls, one after the other: its chain, its newest block, whether it says what
 * is final, how far back it gives logs, and how quickly it answers. Never throws for what an endpoint does.
 */
export async function tryEndpoint(options: EndpointTrialOptions): Promise<EndpointTrial> {
  const { url, reach, timeoutMs = 4_000 } = options;
  const { host } = new URL(url);
  const agent = guardedAgent(reach, { ...agentOptions, timeoutMs });
  const rpc = createRpc({ name: host, url, timeoutMs, agent });
  const trial: EndpointTrial = {
    ...{ host, chainId: null, head: null, headAgeSeconds: null, finality: null },
    ...{ archiveBlocks: null, medianMs: null, faults: [] },
  };
  try {
    await look(rpc, options, trial);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    trial.faults.push(faultOf(error));
  } finally {
    await agent.destroy();
  }
  return trial;
}

/** Fills the trial in. Throws the RpcFault after which nothing more can be learned. */
async function look(rpc: Rpc, options: EndpointTrialOptions, trial: EndpointTrial): Promise<void> {
  const { chain, now = systemClock, nowMs = () => performance.now() } = options;
  trial.chainId = smallNumber(numberOf(await ask(rpc, { method: 'eth_chainId', params: [] })));
  if (chain && trial.chainId !== chain.id) trial.faults.push(wrongChain(rpc.name, trial.chainId, chain.id));
  const times: number[] = [];
  let head: Header | null = null;
  for (let call = 0; call < calls; call += 1) {
    const begunMs = nowMs();
    head = requireHeader(await ask(rpc, headerCall('latest')), 'latest');
    times.push(nowMs() - begunMs);
  }
  if (!head) return;
  trial.head = smallNumber(head.number);
  trial.headAgeSeconds = Math.round((now().getTime() - head.at.getTime()) / 1000);
  trial.medianMs = Math.round(medianOf(times));
  judgeHead(trial, chain);
  trial.finality = (await namesFinal(rpc)) ? 'finalized' : 'depth';
  if (chain?.finality === 'finalized' && trial.finality === 'depth')
    trial.faults.push(noFinalBlock(rpc.name));
  trial.archiveBlocks = await historyOf(rpc, trial.head, chain);
  judgeHistory(trial, chain);
  if (trial.medianMs > slowMs) trial.faults.push(slow(trial));
}

async function ask(rpc: Rpc, call: RpcCall): Promise<unknown> {
  const [result] = await rpc.batch([call]);
  return result;
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

/** Whether it knows the word `finalized` and a block for it. */
async function namesFinal(rpc: Rpc): Promise<boolean> {
  try {
    requireHeader(await ask(rpc, headerCall('finalized')), 'finalized');
    return true;
  } catch (error) {
    if (error instanceof RpcFault && saysSomethingOfTheCall(error)) return false;
    throw error;
  }
}

/** The greatest depth that was tried at which it gives the logs of a block; null: of none. */
async function historyOf(rpc: Rpc, head: number, chain: TriedChain | null): Promise<number | null> {
  let reached: number | null = null;
  for (const depth of [...depths.filter((each) => each < head - 1), Math.max(0, head - 1)]) {
    try {
      const logs = await ask(rpc, logsCall(head - depth, chain));
      if (!Array.isArray(logs)) return reached;
      reached = depth;
    } catch (error) {
      if (error instanceof RpcFault && saysSomethingOfTheCall(error)) return reached;
      throw error;
    }
  }
  return reached;
}

function logsCall(block: number, chain: TriedChain | null): RpcCall {
  const number = hexNumber(BigInt(block));
  const address = chain?.tokens[0]?.address ?? `0x${'0'.repeat(40)}`;
  return { method: 'eth_getLogs', params: [{ fromBlock: number, toBlock: number, address }] };
}

/** Whether a fault is an answer to this call, and does not mean that the endpoint cannot be reached. */
const saysSomethingOfTheCall = ({ kind }: RpcFault) =>
  kind === 'refused' || kind === 'too_much' || kind === 'behind' || kind === 'nonsense';

function judgeHead({ host, headAgeSeconds, faults }: EndpointTrial, chain: TriedChain | null): void {
  if (headAgeSeconds === null) return;
  const tolerated = Math.max(60, 20 * (chain?.blockSeconds ?? 0));
  if (headAgeSeconds < -clockSkewSeconds) {
    faults.push({
      code: 'head_in_future',
      message: `${host}: the newest block is ${-headAgeSeconds} seconds ahead of the clock of this machine.`,
      todo: 'Set the clock of this machine by NTP (timedatectl set-ntp true).',
    });
  } else if (headAgeSeconds > tolerated) {
    faults.push({
      code: 'head_old',
      message: `${host}: the newest block is ${headAgeSeconds} seconds old.`,
      todo: 'Wait until this node has caught up, or put another endpoint before it in rpc_urls.',
    });
  }
}

function judgeHistory(trial: EndpointTrial, chain: TriedChain | null): void {
  const { host, head, archiveBlocks, faults } = trial;
  if (head === null) return;
  if (archiveBlocks === null) {
    faults.push({
      code: 'no_logs',
      message: `${host}: does not answer eth_getLogs, so deposits cannot be read from it.`,
      todo: 'Choose a plan or a provider that allows eth_getLogs.',
    });
    return;
  }
  const needed = chain ? Math.ceil(daySeconds / chain.blockSeconds) : defaultDepth;
  if (archiveBlocks >= Math.min(needed, head - 1)) return;
  faults.push({
    code: 'short_history',
    message: `${host}: gives logs of the last ${archiveBlocks} blocks, and a day has ${needed}.`,
    todo: 'After an outage of a day deposits could not be read from it: add an endpoint with more history.',
  });
}

const wrongChain = (host: string, found: number, wanted: number): TrialFault => ({
  code: 'wrong_chain',
  message: `${host}: serves chain ${found} and not ${wanted}.`,
  todo: `Put the address of an endpoint of chain ${wanted} into rpc_urls.`,
});

const noFinalBlock = (host: string): TrialFault => ({
  code: 'no_finalized_block',
  message: `${host}: does not say which block is final.`,
  todo: 'Choose another endpoint; where no endpoint of this chain says it, set "finality": "confirmations".',
});

const slow = ({ host, medianMs }: EndpointTrial): TrialFault => ({
  code: 'slow',
  message: `${host}: takes ${medianMs} ms for one call.`,
  todo: 'Choose an endpoint that is nearer to this machine, or a better plan.',
});

const todos: Record<FaultKind, string> = {
  unreachable: 'Check the address, and whether this machine may reach it (firewall, DNS).',
  timeout: 'Check whether this machine reaches it, or choose another endpoint.',
  rate_limited: 'Wait, or take a plan with more calls: a gateway asks a few times each block.',
  too_much: 'Choose an endpoint that allows larger answers.',
  refused: 'Check the key in the address, and which calls the plan allows.',
  nonsense: 'Check the address: what answers there is not a node of a chain.',
  behind: 'Wait until this node has caught up, or choose another endpoint.',
  wrong_chain: 'Check the address: it belongs to another chain.',
};

function faultOf({ kind, message }: RpcFault): TrialFault {
  return { code: kind, message, todo: todos[kind] };
}
