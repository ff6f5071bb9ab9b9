import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { request } from 'undici';
import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { atFileEnd } from '../suite/endings.ts';
import { altered, isCallOf } from './rpc-altered.ts';
import { replyOfLaggard } from './rpc-laggard.ts';
import { replyWithLogs } from './rpc-logs.ts';
import { type MadeUpChain, replyOfInventor } from './rpc-made-up.ts';

export type Call = { id: number; method: string; params: unknown[] };
export type Reply = { jsonrpc: '2.0'; id: number | null } & (
  | { result: unknown }
  | { error: { code: number; message: string } }
);
/** A log as `eth_getLogs` tells of it. */
export type RpcLog = {
  address: Hex;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  transactionHash: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
  removed: boolean;
};

/** What is wrong with the endpoint; nothing is by default, and each may be changed at any time. */
export type RpcFaults = {
  /** Every connection is closed without a word; or it takes the question and never answers. */
  dead: boolean;
  silent: boolean;
  /** Every answer comes so much later. */
  delayMs: number;
  /** HTTP 429, with this `Retry-After` in seconds; or every call fails with -32005 and the words of a rate limit. */
  tooOften: boolean;
  retryAfterSeconds: number | null;
  rateLimited: boolean;
  /** More blocks in one `eth_getLogs`, or more logs, are refused. */
  maxBlocks: number;
  maxResults: number;
  /** Its head is so many blocks old; beyond it there are no blocks, and no logs either. */
  lagBlocks: number;
  /** Its head stands at this block, wherever the chain is; null: it moves. */
  standsAt: bigint | null;
  /** Its logs are so many blocks older than its head. */
  lagLogBlocks: number;
  /** So much later than it is says every header that its block was made. */
  blocksLateSeconds: number;
  /** What every header has for its `logsBloom`; null: what is right. */
  bloom: Hex | 'missing' | null;
  /** Blocks that it makes up, beyond the last one that there is. */
  madeUp: MadeUpChain | null;
  /** What it answers to `balanceOf` instead of the units that there are. */
  balances: ((units: bigint) => Hex) | null;
  /** It counts one transaction more than a sender has in blocks, as one that counts its pool. */
  countsPool: boolean;
  /** Every transaction was mined long ago, it says, and failed. */
  failsAll: boolean;
  /** Wallet contracts accept every signature, it says, or refuse every one. */
  signatures: 'accepted' | 'refused' | null;
  /** Logs that it keeps to itself: all, or some. */
  hides: boolean | ((log: RpcLog) => boolean);
  /** Logs that no chain has; see inventedLog. */
  invents: RpcLog[];
  /** What it makes of the logs of one answer: see `unpadded` and `firstOnly` of rpc-logs.ts. */
  alters: ((logs: RpcLog[]) => RpcLog[]) | null;
  /** It knows no receipt; its hashes of blocks have 48 bytes; no block is final, it says, or it does not know the word. */
  hidesReceipts: boolean;
  longHashes: boolean;
  finality: 'none' | 'unknown' | null;
  refusesBatches: boolean;
  /** Answers with a page, with JSON that ends early, or with JSON that answers nothing. */
  garbage: 'page' | 'truncated' | 'other' | null;
  /** Every so many exchanges one is done, and its answer lost; 0: none. */
  dropEvery: number;
  /** The same for those exchanges of which this says so. */
  drops: () => boolean;
};

const noFaults: RpcFaults = {
  dead: false,
  silent: false,
  delayMs: 0,
  tooOften: false,
  retryAfterSeconds: null,
  rateLimited: false,
  maxBlocks: Number.POSITIVE_INFINITY,
  maxResults: Number.POSITIVE_INFINITY,
  lagBlocks: 0,
  standsAt: null,
  lagLogBlocks: 0,
  blocksLateSeconds: 0,
  bloom: null,
  madeUp: null,
  balances: null,
  countsPool: false,
  failsAll: false,
  signatures: null,
  hides: false,
  invents: [],
  alters: null,
  hidesReceipts: false,
  longHashes: false,
  finality: null,
  refusesBatches: false,
  garbage: null,
  dropEvery: 0,
  drops: () => false,
};

export type RpcProxy = {
  url: string;
  /** What is wrong now: assign to its fields. */
  faults: RpcFaults;
  /** Makes it well again. */
  mend(): void;
  /** How many exchanges there were, and the methods that were called. */
  asked: { exchanges: number; methods: string[] };
  close(): Promise<void>;
};

/** Stands in front of a real node with the faults that are switched on; it ends with the test file. */
export async function startRpcProxy(nodeUrl: string, initial: Partial<RpcFaults> = {}): Promise<RpcProxy> {
  const faults: RpcFaults = { ...noFaults, ...initial };
  const asked: RpcProxy['asked'] = { exchanges: 0, methods: [] };

  async function exchange(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = await text(incoming);
    const body = JSON.parse(question) as Call | Call[];
    const number = ++asked.exchanges;
    asked.methods.push(...[body].flat().map(({ method }) => method));
    if (faults.dead) incoming.socket.destroy();
    if (faults.dead || faults.silent) return;
    if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.delayMs));
    if (faults.tooOften) {
      const { retryAfterSeconds } = faults;
      response.writeHead(429, retryAfterSeconds === null ? {} : { 'retry-after': `${retryAfterSeconds}` });
      response.end('Too Many Requests');
      return;
    }
    const answer = JSON.stringify(await answerTo(body, faults, nodeUrl));
    if ((faults.dropEvery > 0 && number % faults.dropEvery === 0) || faults.drops()) {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(faults.garbage ? garbageOf(faults.garbage, answer) : answer);
  }

  const server = createServer((incoming, response) => {
    // Whoever stopped waiting has closed the connection, and a node that was stopped answers nobody.
    exchange(incoming, response).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  atFileEnd(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    mend: () => Object.assign(faults, noFaults),
    asked,
    close,
  };
}

/** Whether something happens: each time with this chance, and in the same order for the same seed. */
export function atRandom(seed: number, chance: number): () => boolean {
  let state = seed;
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32 < chance;
  };
}

/** A transfer of a token that never happened, in a block that did. */
export function inventedLog(transfer: {
  token: Hex;
  from: Hex;
  to: Hex;
  units: bigint;
  block: { number: bigint; hash: Hex };
}): RpcLog {
  const word = (hex: string): Hex => `0x${hex.replace('0x', '').padStart(64, '0')}`;
  return {
    address: transfer.token,
    topics: [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      word(transfer.from),
      word(transfer.to),
    ],
    data: word(transfer.units.toString(16)),
    blockNumber: hex(transfer.block.number),
    blockHash: transfer.block.hash,
    transactionHash: word('badc0de'),
    transactionIndex: '0x63',
    logIndex: '0x3e7',
    removed: false,
  };
}

export const hex = (number: bigint): Hex => `0x${number.toString(16)}`;

function garbageOf(kind: 'page' | 'truncated' | 'other', answer: string): string {
  if (kind === 'page') return '<!doctype html><title>Checking your browser</title>';
  return kind === 'truncated' ? answer.slice(0, answer.length / 2) : '{"status":"ok"}';
}

async function answerTo(body: Call | Call[], faults: RpcFaults, nodeUrl: string): Promise<Reply | Reply[]> {
  if (!Array.isArray(body)) return await replyTo(body, faults, nodeUrl);
  if (faults.refusesBatches) return failed(null, -32600, 'batch requests are not supported');
  const together = body.filter((call) => !isApart(call, faults));
  const replies = await repliesTogether(together, faults, nodeUrl);
  // One after the other, as a node does: its chain may change between two of them.
  for (const call of body) {
    if (!together.includes(call)) replies.push(await replyTo(call, faults, nodeUrl));
  }
  return replies;
}

export function failed(id: number | null, code: number, message: string): Reply {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

async function replyTo(call: Call, faults: RpcFaults, nodeUrl: string): Promise<Reply> {
  if (faults.rateLimited) return failed(call.id, -32005, 'request rate limited, see the plans');
  const ask = async (method: string, params: unknown[]) =>
    (await askNode(nodeUrl, { jsonrpc: '2.0', id: call.id, method, params })) as Reply;
  const head = async () => {
    const reply = await ask('eth_blockNumber', []);
    const reached = BigInt('result' in reply ? (reply.result as Hex) : 0) - BigInt(faults.lagBlocks);
    return faults.standsAt !== null && faults.standsAt < reached ? faults.standsAt : reached;
  };
  if (faults.signatures && isCallOf(call, isValidSignature)) {
    const said = faults.signatures === 'accepted' ? isValidSignature : '0xffffffff';
    return { jsonrpc: '2.0', id: call.id, result: said.padEnd(66, '0') };
  }
  if (call.method === 'eth_getLogs') return await replyWithLogs(call, faults, ask, head);
  const invented = faults.madeUp ? await replyOfInventor(call, faults.madeUp, ask) : null;
  const reply =
    invented ??
    (faults.lagBlocks === 0 && faults.standsAt === null
      ? await ask(call.method, call.params)
      : await replyOfLaggard(call, ask, await head()));
  return altered(reply, call, faults);
}

async function askNode(nodeUrl: string, question: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(question);
  const response = await request(nodeUrl, { method: 'POST', headers, body });
  return await response.body.json();
}

async function repliesTogether(calls: Call[], faults: RpcFaults, nodeUrl: string): Promise<Reply[]> {
  if (calls.length === 0) return [];
  const asked = new Map<number | null, Call>(calls.map((call) => [call.id, call]));
  const replies = (await askNode(nodeUrl, calls)) as Reply[];
  return replies.map((reply) => altered(reply, asked.get(reply.id), faults));
}

const isValidSignature = '0x1626ba7e';

const faultsOfCalls = ['rateLimited', 'signatures', 'lagBlocks', 'standsAt', 'madeUp'] as const;
const faultsOfLogs = ['maxBlocks', 'maxResults', 'lagLogBlocks', 'hides', 'alters', 'longHashes'] as const;

/** Whether more may be wrong than what the node's answer is made into. */
function isApart({ method }: Call, faults: RpcFaults): boolean {
  const isAny = (names: readonly (keyof RpcFaults)[]) =>
    names.some((name) => faults[name] !== noFaults[name]);
  if (isAny(faultsOfCalls)) return true;
  return method === 'eth_getLogs' && (isAny(faultsOfLogs) || faults.invents.length > 0);
}

export type Ask = (method: string, params: unknown[]) => Promise<Reply>;
