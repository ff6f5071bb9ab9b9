import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { longHash } from './rpc-logs.ts';
import { madeUpEnd } from './rpc-made-up.ts';
import { type Call, failed, hex, type Reply, type RpcFaults } from './rpc-proxy.ts';

/** What a node with these faults makes of its answer to a call that asks for no logs. */
export function altered(reply: Reply, call: Call | undefined, faults: RpcFaults): Reply {
  if (!call || !('result' in reply)) return reply;
  if (faults.balances && isCallOf(call, balanceOf)) {
    return { ...reply, result: faults.balances(BigInt(reply.result as Hex)) };
  }
  if (faults.finality && call.params[0] === 'finalized') {
    return faults.finality === 'none'
      ? { ...reply, result: null }
      : failed(call.id, -32602, 'invalid block tag');
  }
  if (faults.hidesReceipts && call.method === 'eth_getTransactionReceipt') return { ...reply, result: null };
  const end = madeUpEnd(call, reply.result, faults);
  if (end !== null) return { ...reply, result: end };
  if (call.method !== 'eth_getBlockByNumber' || reply.result === null) return reply;
  return { ...reply, result: alteredHeader(reply.result as BlockAnswer, faults) };
}

const balanceOf = '0x70a08231';

/** Whether it calls a function of a contract, by its selector. */
export function isCallOf({ method, params }: Call, selector: string): boolean {
  const [what] = params as { data?: Hex; input?: Hex }[];
  return method === 'eth_call' && `${what?.data ?? what?.input}`.startsWith(selector);
}

type BlockAnswer = { timestamp: Hex; hash: Hex; parentHash: Hex };

/** A header as an endpoint tells it that shifts the times of blocks, or has other hashes or another bloom. */
function alteredHeader(header: BlockAnswer, { bloom, blocksLateSeconds, longHashes }: RpcFaults) {
  return {
    ...header,
    timestamp: hex(BigInt(header.timestamp) + BigInt(blocksLateSeconds)),
    ...(longHashes ? { hash: longHash(header.hash), parentHash: longHash(header.parentHash) } : {}),
    ...(bloom === null ? {} : { logsBloom: bloom === 'missing' ? undefined : bloom }),
  };
}
