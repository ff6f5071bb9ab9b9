import type { ChainConfig, Hex } from '../../config/chains.ts';
import {
  type Block,
  blockNumberOf,
  type Header,
  headerCall,
  numberOf,
  requireHeader,
} from '../../rpc/block.ts';
import type { Endpoint } from '../../rpc/endpoints.ts';
import type { RpcCall } from '../../rpc/rpc.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { LateLogs } from './late-logs.ts';
import { logCalls, type RawTransfer, rawTransfers, type Watched } from './logs.ts';
import type { MatchedTransfer, OurTransfer } from './match.ts';

/** The blocks after `after`, up to and with `to`. */
export type Window = { after: Block; to: bigint };

/** What is looked for, and how it is found among the transfers of a window. */
export type Search = {
  chain: ChainConfig;
  watched: Watched;
  match(transfers: readonly RawTransfer[]): Promise<MatchedTransfer[]>;
  late: LateLogs;
};

/** What an endpoint has in a window; `moved`: a reorg has replaced its blocks meanwhile. */
export type Reading = { ours: OurTransfer[]; end: Header } | 'moved';

/** What an endpoint answered for a window, before it is matched. */
export type Fetched = { transfers: RawTransfer[]; end: Header };

/**
 * Asks for a window for the first time: in one batch with the header of its end, so that an endpoint which does not
 * know that block yet cannot answer that nothing happened. Throws RpcFault, and LogsLate where it seems to know a
 * block and not its logs.
 */
export async function fetchWindow(
  endpoint: Endpoint,
  search: Search,
  { after, to }: Window,
): Promise<Fetched | 'moved'> {
  const from = after.number + 1n;
  // A single block names its parent itself.
  const before = from === to ? [] : [headerCall(after.number)];
  const logs = logCalls(search.chain.tokens, search.watched, from, to);
  const answers = await endpoint.batch([...before, ...logs, headerCall(to)]);
  const end = requireHeader(answers.at(-1), to);
  const parent = from === to ? end.parent : requireHeader(answers[0], after.number).hash;
  if (parent !== after.hash) return 'moved';
  const transfers = rawTransfers(answers.slice(before.length, -1), search.chain.tokens);
  const fetched = { transfers, end };
  await requireLogs(endpoint, search, after, fetched);
  return fetched;
}

/**
 * Reads a window that is about to be booked. Its end is asked for before and after the logs, and the `anchor` that
 * the first reading noted must still be on the chain: so neither a reorg between the calls nor another fork goes
 * unnoticed. `waits`: for this endpoint the window is not final yet. Throws RpcFault, and LogsLate as fetchWindow.
 */
export async function proveWindow(
  endpoint: Endpoint,
  search: Search,
  window: Window,
  anchor: Block,
): Promise<Reading | 'waits'> {
  const { after, to } = window;
  const { chain, watched } = search;
  const from = after.number + 1n;
  // A single block names its parent itself, and the end may be the anchor.
  const others = [after, anchor].filter(
    ({ number }) => number !== to && (number !== after.number || from < to),
  );
  const logs = logCalls(chain.tokens, watched, from, to);
  const answers = await endpoint.batch([
    headerCall(to),
    finalityCall(chain),
    ...logs,
    headerCall(to),
    ...others.map(({ number }) => headerCall(number)),
  ]);
  const begin = requireHeader(answers[0], to);
  if (finalNumber(chain, answers[1]) < to) return 'waits';
  const [again, ...known] = answers.slice(2 + logs.length);
  const end = requireHeader(again, to);
  const isMoved =
    begin.hash !== end.hash ||
    (from === to && end.parent !== after.hash) ||
    (anchor.number === to && end.hash !== anchor.hash) ||
    others.some(({ number, hash }, at) => requireHeader(known[at], number).hash !== hash);
  if (isMoved) return 'moved';
  const transfers = rawTransfers(answers.slice(2, 2 + logs.length), chain.tokens);
  const fetched = { transfers, end };
  await requireLogs(endpoint, search, after, fetched);
  return await findOurs(endpoint, search, window, fetched);
}

/** Throws LogsLate where a header of a window shows that logs are missing. */
async function requireLogs(
  endpoint: Endpoint,
  { late }: Search,
  after: Block,
  { transfers, end }: Fetched,
): Promise<void> {
  const inner = late.before(after.number, end.number);
  // In a batch of its own: where these headers cannot be read, the logs still count.
  const headers = await headersOf(endpoint, inner).catch((error: unknown) => {
    if (!(error instanceof RpcFault)) throw error;
    return [];
  });
  await late.require([...headers, end], transfers);
}

/**
 * Reads all transfers in the blocks `from` to `to`, whatever addresses are watched now; and those in the receipts of
 * some transactions, whose logs the endpoint may leave out of longer answers. Returns ours among them, and how many
 * there are. Throws RpcFault, also where the endpoint does not know the last of these blocks.
 */
export async function readAllTransfers(
  endpoint: Endpoint,
  search: Pick<Search, 'chain' | 'match'>,
  { from, to, transactions = [] }: { from: bigint; to: bigint; transactions?: readonly Hex[] },
): Promise<{ ours: OurTransfer[]; transfers: number }> {
  const logs = logCalls(search.chain.tokens, 'all', from, to);
  const answers = await endpoint.batch([...logs, ...transactions.map(receiptCall), headerCall(to)]);
  const end = requireHeader(answers.at(-1), to);
  const receipts = answers.slice(logs.length, -1).flatMap(logsInReceipt);
  const { tokens } = search.chain;
  const transfers = [
    ...rawTransfers(answers.slice(0, logs.length), tokens),
    // After a reorg a transaction may be in another block.
    ...rawTransfers(receipts, tokens).filter(({ log }) => isBetween(numberOf(log.blockNumber), from, to)),
  ];
  const reading = await findOurs(endpoint, search, { after: { number: from - 1n }, to }, { transfers, end });
  if (reading === 'moved') throw new RpcFault('refused', `changed its block ${to} between two calls`);
  return { ours: reading.ours, transfers: transfers.length };
}

const isBetween = (number: bigint, from: bigint, to: bigint): boolean => number >= from && number <= to;

export const receiptCall = (transaction: Hex): RpcCall => {
  return { method: 'eth_getTransactionReceipt', params: [transaction] };
};

/** The logs in an answer to a `receiptCall`, as one answer to `logCalls`; none where there is no receipt. */
export function logsInReceipt(receipt: unknown): unknown[] {
  return receipt ? [(receipt as { logs?: unknown }).logs] : [];
}

/**
 * Finds our transfers in what was fetched, and asks for the times of their blocks. Throws RpcFault for logs of other
 * blocks.
 */
export async function findOurs(
  endpoint: Endpoint,
  search: Pick<Search, 'match'>,
  window: { after: Pick<Block, 'number'>; to: bigint },
  { transfers, end }: Fetched,
): Promise<Reading> {
  const matched = await search.match(transfers);
  const headers = new Map([[end.number, end]]);
  const others = new Set<bigint>();
  for (const { blockNumber } of matched) {
    if (blockNumber <= window.after.number || blockNumber > window.to) {
      throw new RpcFault('nonsense', `answered with a log of block ${blockNumber}`);
    }
    if (blockNumber !== end.number) others.add(blockNumber);
  }
  for (const header of await headersOf(endpoint, [...others])) headers.set(header.number, header);
  const ours: OurTransfer[] = [];
  for (const transfer of matched) {
    const header = headers.get(transfer.blockNumber);
    if (header?.hash !== transfer.blockHash) return 'moved';
    ours.push({ ...transfer, blockAt: header.at });
  }
  return { ours, end };
}

/** How many headers are asked for at once. */
const headersAtOnce = 50;

async function headersOf(endpoint: Endpoint, numbers: readonly bigint[]): Promise<Header[]> {
  const headers: Header[] = [];
  for (let at = 0; at < numbers.length; at += headersAtOnce) {
    const part = numbers.slice(at, at + headersAtOnce);
    const answers = await endpoint.batch(part.map((number) => headerCall(number)));
    headers.push(...part.map((number, n) => requireHeader(answers[n], number)));
  }
  return headers;
}

/** Asks how far the chain is final. */
export function finalityCall({ finality }: Pick<ChainConfig, 'finality'>): RpcCall {
  return finality === 'finalized' ? headerCall('finalized') : { method: 'eth_blockNumber', params: [] };
}

/** What to do about a chain that never calls a block final. */
export const withoutFinality =
  'if its chain has none, set "finality": "confirmations" for it in the configuration';

/** The last block that is final by the answer to `finalityCall`; negative: none yet. */
export function finalNumber(chain: Pick<ChainConfig, 'finality' | 'confirmations'>, answer: unknown): bigint {
  if (chain.finality === 'finalized') {
    if (!answer) throw new RpcFault('refused', `has no finalized block: ${withoutFinality}`);
    return requireHeader(answer, 'finalized').number;
  }
  return blockNumberOf(answer) - BigInt(chain.confirmations) + 1n;
}
