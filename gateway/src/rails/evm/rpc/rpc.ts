import { createPost, type PostAnswer, type PostOptions } from './post.ts';
import { isRpcError, kindOfError, kindOfStatus, type RpcError, type RpcFault } from './rpc-fault.ts';

export type RpcCall = { method: string; params: unknown[] };

/** One endpoint of a chain, by JSON-RPC over HTTP. */
export type Rpc = {
  /** Its host and its place in the configuration, which may be shown. */
  name: string;
  /** The results in the order of the calls. Throws RpcFault; one call's error fails all of them. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
};

/** Statuses with which a server may refuse a batch because it takes single calls only. */
const batchRefusals = new Set([400, 405, 415, 422, 500, 501]);

type Reply = { result: unknown } | { error: RpcError };

/** Makes the client of one endpoint. It asks nothing until the first batch. */
export function createRpc(options: PostOptions): Rpc {
  const { send, fault } = createPost(options);
  let lastId = 0;
  let takesBatches = true;

  function resultOf(reply: Reply, call: RpcCall, { status, retryAfter }: PostAnswer): unknown {
    if ('result' in reply) return reply.result;
    const { code, message } = reply.error;
    const kind = kindOfError(reply.error, status, blocksOf(call));
    throw fault(kind, `${call.method}: ${message} (${code})`, retryAfter);
  }

  /** The fault of an HTTP answer without a JSON-RPC answer to the call. */
  function statusFault({ status, retryAfter, isJson }: PostAnswer, blocks: number): RpcFault {
    const why = isJson ? 'an answer that is not JSON-RPC' : 'an answer that is not JSON';
    return fault(kindOfStatus(status, blocks), `answered ${status} with ${why}`, retryAfter);
  }

  async function single(call: RpcCall): Promise<unknown> {
    const id = ++lastId;
    const answer = await send({ jsonrpc: '2.0', id, ...call }, blocksOf(call));
    const reply = replyOf(answer.value);
    if (!reply || ('result' in reply && reply.id !== id)) throw statusFault(answer, blocksOf(call));
    return resultOf(reply, call, answer);
  }

  async function together(calls: readonly RpcCall[]): Promise<unknown[] | 'singly'> {
    const first = lastId + 1;
    lastId += calls.length;
    const blocks = Math.max(...calls.map(blocksOf));
    const answer = await send(
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
    name: options.name,
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
