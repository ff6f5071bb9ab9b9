import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { type Ask, type Call, failed, hex, type Reply, type RpcLog } from './rpc-proxy.ts';

type Block = { number: Hex; hash: Hex };

/** What a node knows that has not seen what is beyond `head`. */
export async function replyOfLaggard(call: Call, ask: Ask, head: bigint): Promise<Reply> {
  const { id, method, params } = call;
  const isBeyond = (tag: unknown) => typeof tag === 'string' && /^0x/.test(tag) && BigInt(tag) > head;
  if (method === 'eth_blockNumber') return { jsonrpc: '2.0', id, result: hex(head) };
  if (method === 'eth_call' || method === 'eth_getBalance') {
    const [what, tag] = params;
    if (isBeyond(tag)) return failed(id, -32000, 'header not found');
    return await ask(method, [what, /^0x/.test(`${tag}`) ? tag : hex(head)]);
  }
  if (method === 'eth_getBlockByNumber') {
    const [tag, full] = params;
    if (tag === 'latest' || tag === 'pending') return await ask(method, [hex(head), full]);
    if (isBeyond(tag)) return { jsonrpc: '2.0', id, result: null };
  }
  const reply = await ask(method, params);
  const result = 'result' in reply ? (reply.result as (Partial<Block> & Partial<RpcLog>) | null) : null;
  const number = result?.number ?? result?.blockNumber;
  if (!number || BigInt(number) <= head) return reply;
  // `finalized` and `safe` are no further than the head.
  if (method === 'eth_getBlockByNumber') return await ask(method, [hex(head), params[1]]);
  return { jsonrpc: '2.0', id, result: null };
}
