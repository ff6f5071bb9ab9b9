import { type Hex, keccak256, toHex } from 'viem';
import { type Ask, type Call, hex, type Reply, type RpcFaults } from './rpc-proxy.ts';

/** A chain of blocks that an endpoint makes up: they follow one another, and no other endpoint has them. */
export type MadeUpChain = {
  /** The last real block, after which they begin. */
  after: bigint;
  blocks: number;
  /** Whether the endpoint calls them final as well, all but the last two. */
  isFinal: boolean;
};

type Header = Record<string, unknown> & { hash: Hex; timestamp: Hex };

const zeroBloom: Hex = `0x${'0'.repeat(512)}`;

/** What the endpoint tells of the end of its chain; null: what the call asks for lies before the made-up blocks. */
export async function replyOfInventor(
  { id, method, params }: Call,
  { after, blocks, isFinal }: MadeUpChain,
  ask: Ask,
): Promise<Reply | null> {
  const tip = after + BigInt(blocks);
  const result = (value: unknown): Reply => ({ jsonrpc: '2.0', id, result: value });
  if (method === 'eth_blockNumber') return result(hex(tip));
  const [what, tag] = params;
  if (method === 'eth_call' || method === 'eth_getBalance') {
    const isBeyond = `${tag}`.startsWith('0x') && BigInt(`${tag}`) > after;
    return isBeyond ? await ask(method, [what, hex(after)]) : null;
  }
  if (method !== 'eth_getBlockByNumber') return null;
  const number = numberOf(`${what}`, tip, isFinal);
  if (number === null || number <= after) return null;
  if (number > tip) return result(null);
  const reply = await ask(method, [hex(after), false]);
  const last = 'result' in reply ? (reply.result as Header | null) : null;
  // The real block is gone by now: the chain became shorter.
  return last === null ? reply : result(headerOf(last, after, number));
}

function numberOf(tag: string, tip: bigint, isFinal: boolean): bigint | null {
  if (tag === 'latest' || tag === 'pending') return tip;
  if (tag === 'finalized' || tag === 'safe') return isFinal ? tip - 2n : null;
  return tag.startsWith('0x') ? BigInt(tag) : null;
}

/** One a second, without transactions. */
function headerOf(last: Header, after: bigint, number: bigint): Header {
  const hashAt = (at: bigint): Hex => (at === after ? last.hash : keccak256(toHex(`${last.hash} ${at}`)));
  return {
    ...last,
    number: hex(number),
    hash: hashAt(number),
    parentHash: hashAt(number - 1n),
    timestamp: hex(BigInt(last.timestamp) + number - after),
    logsBloom: zeroBloom,
    transactions: [],
  };
}

/** What an endpoint makes up of a nonce's end; null: nothing. */
export function madeUpEnd(
  { method, params }: Call,
  result: unknown,
  { countsPool, failsAll }: Pick<RpcFaults, 'countsPool' | 'failsAll'>,
): unknown {
  if (countsPool && method === 'eth_getTransactionCount') return hex(BigInt(`${result}`) + 1n);
  if (!failsAll || method !== 'eth_getTransactionReceipt') return null;
  // Reverted in the first block.
  return {
    ...{ transactionHash: `${params[0]}`, blockNumber: '0x1', status: '0x0' },
    ...{ gasUsed: '0x5208', effectiveGasPrice: '0x1', logs: [] },
  };
}
