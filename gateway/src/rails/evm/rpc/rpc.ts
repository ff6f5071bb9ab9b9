import { systemClock } from '../../../kit/clock.ts';
import { type Agent, request } from '../../../kit/net/undici.ts';
import { hiderOf, targetOf } from '../../endpoint-address.ts';
import { describeExchange, isBroken, retryAfterMs } from '../../endpoint-fault.ts';
import {
  isRpcError,
  kindOfError,
  kindOfFailure,
  kindOfStatus,
  type RpcError,
  RpcFault,
} from './rpc-fault.ts';

export type RpcCall = { method: string; params: unknown[] };

/** One endpoint of a chain, by JSON-RPC over HTTP. */
export type Rpc = {
  /** Its host and its place in the configuration, which may be shown. */
  name: string;
  /** The results in the order of the calls. Throws RpcFault; one call's error fails all of them. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
};

export type RpcOptions = {
  name: string;
  /** It may hold a key, and never leaves this module. */
  url: string;
  /** For a whole request that reads many blocks; others have a few seconds. */
  timeoutMs: number;
  /** Keeps the connections, and may be shared. See agentOptions. */
  agent: Agent;
};

/** Most calls are answered quickly or not at all: a longer wait would delay the next endpoint. */
const quickMs = 4_000;
const quickBlocks = 10;
const maxAnswerBytes = 32 * 1024 * 1024;
/** Options of an agent for endpoints. Longer answers than these fail. */
export const agentOptions = { connections: 16, keepAliveTimeout: 30_000, maxResponseSize: maxAnswerBytes };

/** Statuses with which a server may refuse a batch because it takes single calls only. */
const batchRefusals = new Set([400, 405, 415, 422, 500, 501]);

type Reply = { result: unknown } | { error: RpcError };
type Answer = { status: number; retryAfter: number | undefined; value: unknown; isJson: boolean };

/** Makes the client of one endpoint. It asks nothing until the first batch. */
export function createRpc({ name, url, timeoutMs, agent }: RpcOptions): Rpc {
  const target = targetOf(url);
  const hide = hiderOf(url);
  let lastId = 0;
  let takesBatches = true;

  const fault = (kind: RpcFault['kind'], why: string, retryAfter?: number) =>
    new RpcFault(kind, `${name}: ${hide(why)}`, retryAfter);

  async function post(body: unknown, blocks: number): Promise<Answer> {
    const limitMs = blocks > quickBlocks ? timeoutMs : Math.min(timeoutMs, quickMs);
    const options = {
      method: 'POST' as const,
      headers: { 'content-type': 'application/json', ...target.headers },
      body: JSON.stringify(body),
      dispatcher: agent,
      signal: AbortSignal.timeout(limitMs),
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    const exchange = async (): Promise<Answer> => {
      const response = await request(target.address, options);
      const text = await response.body.text();
      const retryAfter = retryAfterMs(response.headers['retry-after'], systemClock());
      return { status: response.statusCode, retryAfter, ...parsed(text) };
    };
    try {
      // A kept connection may have been closed at the other end, which is no fault of the endpoint.
      return await exchange().catch((error) => (isBroken(error) ? exchange() : Promise.reject(error)));
    } catch (error) {
      throw fault(kindOfFailure(error as Error, blocks), describeExchange(error as Error, limitMs));
    }
  }

  function resultOf(reply: Reply, call: RpcCall, { status, retryAfter }: Answer): unknown {
    if ('result' in reply) return reply.result;
    const { code, message } = reply.error;
    const kind = kindOfError(reply.error, status, blocksOf(call));
    throw fault(kind, `${call.method}: ${message} (${code})`, retryAfter);
  }

  /** The fault of an HTTP answer without a JSON-RPC answer to the call. */
  function statusFault({ status, retryAfter, isJson }: Answer, blocks: number): RpcFault {
    const why = isJson ? 'an answer that is not JSON-RPC' : 'an answer that is not JSON';
    return fault(kindOfStatus(status, blocks), `answered ${status} with ${why}`, retryAfter);
  }

  async function single(call: RpcCall): Promise<unknown> {
    const id = ++lastId;
    const answer = await post({ jsonrpc: '2.0', id, ...call }, blocksOf(call));
    const reply = replyOf(answer.value);
    if (!reply || ('result' in reply && reply.id !== id)) throw statusFault(answer, blocksOf(call));
    return resultOf(reply, call, answer);
  }

  async function together(calls: readonly RpcCall[]): Promise<unknown[] | 'singly'> {
    const first = lastId + 1;
    lastId += calls.length;
    const blocks = Math.max(...calls.map(blocksOf));
    const answer = await post(
      calls.map((call, at) => ({ jsonrpc: '2.0', id: first + at, ...call })),
      blocks,
    );
    if (!Array.isArray(answer.value)) {
      const reply = replyOf(answer.value);
      if (reply && 'error' in reply) {
        const kind = kindOfError(reply.error, answer.status, 0);
        if (kind === 'rate_limited' && !/batch/i.test(reply.error.message)) {
          throw fault(kind, `${reply.error.message} (${reply.error.code})`, answer.retryAfter);
        }
        return 'singly';
      }
      if (batchRefusals.has(answer.status)) return 'singly';
      throw statusFault(answer, blocks);
    }
    const replies = byId(answer.value);
    const results: unknown[] = [];
    for (const [at, call] of calls.entries()) {
      const reply = replies.get(first + at);
      if (!reply)
        throw fault('nonsense', `a batch of ${calls.length} calls without an answer to ${call.method}`);
      if ('error' in reply && /\bbatch/i.test(reply.error.message)) return 'singly';
      results.push(resultOf(reply, call, answer));
    }
    return results;
  }

  return {
    name,
    async batch(calls) {
      if (calls.length === 0) return [];
      if (takesBatches && calls.length > 1) {
        const results = await together(calls);
        if (results !== 'singly') return results;
      }
      const results = await Promise.all(calls.map(single));
      // Only now it is certain that the server refused the batch as such.
      if (calls.length > 1) takesBatches = false;
      return results;
    },
  };
}

/** How many blocks a call reads the logs of; 0 when it reads none. */
export function blocksOf({ method, params }: RpcCall): number {
  if (method !== 'eth_getLogs') return 0;
  const { fromBlock, toBlock } = params[0] as { fromBlock?: unknown; toBlock?: unknown };
  if (typeof fromBlock !== 'string' || typeof toBlock !== 'string') return 1;
  const blocks = Number.parseInt(toBlock, 16) - Number.parseInt(fromBlock, 16) + 1;
  return Number.isFinite(blocks) ? Math.max(1, blocks) : 1;
}

function replyOf(value: unknown): (Reply & { id?: unknown }) | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if ('error' in value && isRpcError(value.error)) return value as { error: RpcError };
  return 'result' in value ? (value as { result: unknown }) : null;
}

/** Replies by their ids: they may come in any order. One without an id answers no call. */
function byId(values: readonly unknown[]): Map<unknown, Reply> {
  const replies = new Map<unknown, Reply>();
  for (const value of values) {
    const reply = replyOf(value);
    if (reply && reply.id !== undefined) replies.set(reply.id, reply);
  }
  return replies;
}

function parsed(text: string): { value: unknown; isJson: boolean } {
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    return { value: undefined, isJson: false };
  }
}
