import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { type Ask, type Call, failed, hex, type Reply, type RpcFaults, type RpcLog } from './rpc-proxy.ts';

type LogFilter = {
  address?: Hex | Hex[];
  topics?: (Hex | Hex[] | null)[];
  fromBlock?: Hex;
  toBlock?: Hex;
  blockHash?: Hex;
};

/** What a node with these faults answers to `eth_getLogs`. */
export async function replyWithLogs(
  call: Call,
  faults: RpcFaults,
  ask: Ask,
  head: () => Promise<bigint>,
): Promise<Reply> {
  const filter = call.params[0] as LogFilter;
  const blocks = filter.blockHash ? 1n : BigInt(filter.toBlock ?? 0) - BigInt(filter.fromBlock ?? 0) + 1n;
  if (blocks > faults.maxBlocks) return failed(call.id, -32000, 'block range is too large');
  const reply = await ask(call.method, [faults.madeUp ? upTo(faults.madeUp.after, filter) : filter]);
  if (!('result' in reply)) return reply;
  const last = await lastWithLogs(faults, head);
  const { hides } = faults;
  const isOfMadeUpBlock = (log: RpcLog) => faults.madeUp !== null && faults.invents.includes(log);
  const isHidden = (log: RpcLog) => (typeof hides === 'function' ? hides(log) : hides);
  const logs = (reply.result as RpcLog[])
    .filter((log) => !isHidden(log))
    .concat(faults.invents.filter((log) => matches(log, filter)))
    .filter((log) => last === null || BigInt(log.blockNumber) <= last || isOfMadeUpBlock(log))
    .filter(({ blockNumber }) => BigInt(blockNumber) >= BigInt(filter.fromBlock ?? 0));
  if (logs.length > faults.maxResults) {
    return failed(call.id, -32005, `query returned more than ${faults.maxResults} results`);
  }
  const told = faults.alters ? faults.alters(logs) : logs;
  const longer = (log: RpcLog) => ({ ...log, blockHash: longHash(log.blockHash) });
  return { ...reply, result: faults.longHashes ? told.map(longer) : told };
}

/** A node refuses to look beyond its last block for logs; one that makes blocks up does not. */
function upTo(last: bigint, filter: LogFilter): LogFilter {
  const within = (tag: Hex | undefined) => (tag && BigInt(tag) > last ? hex(last) : tag);
  const { fromBlock, toBlock, ...rest } = filter;
  return { ...rest, fromBlock: within(fromBlock), toBlock: within(toBlock) } as LogFilter;
}

/** The last block whose logs it has; null: it has those of all. */
async function lastWithLogs(faults: RpcFaults, head: () => Promise<bigint>): Promise<bigint | null> {
  if (faults.madeUp) return faults.madeUp.after;
  if (faults.lagBlocks === 0 && faults.standsAt === null && faults.lagLogBlocks === 0) return null;
  return (await head()) - BigInt(faults.lagLogBlocks);
}

/** Whether a node that had this log would answer with it. */
function matches(log: RpcLog, { address, topics, fromBlock, toBlock, blockHash }: LogFilter): boolean {
  const isOneOf = (value: Hex | undefined, wanted: Hex | Hex[] | null | undefined) =>
    !wanted || [wanted].flat().some((each) => each.toLowerCase() === value?.toLowerCase());
  if (blockHash && log.blockHash !== blockHash) return false;
  if (fromBlock && BigInt(log.blockNumber) < BigInt(fromBlock)) return false;
  if (toBlock && BigInt(log.blockNumber) > BigInt(toBlock)) return false;
  return isOneOf(log.address, address) && (topics ?? []).every((each, at) => isOneOf(log.topics[at], each));
}

/** Logs whose data has no zeros at its beginning, as some nodes write numbers. */
export const unpadded = (logs: RpcLog[]): RpcLog[] =>
  logs.map((log) => {
    const digits = BigInt(log.data).toString(16);
    return { ...log, data: `0x${digits.padStart(digits.length + (digits.length % 2), '0')}` };
  });

/** So many logs of each answer, and no word of the others. */
export const firstOnly =
  (count: number) =>
  (logs: RpcLog[]): RpcLog[] =>
    logs.slice(0, count);

/** A hash as an endpoint with `longHashes` writes it. */
export const longHash = (hash: Hex): Hex => `${hash}${'ab'.repeat(16)}`;
