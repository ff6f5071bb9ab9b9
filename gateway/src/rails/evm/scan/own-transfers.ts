import type { Reader } from '../../../kit/db/db.ts';
import type { OwnTransfer } from '../../direct.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { type Block, headerCall, hexNumber, requireHeader } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import type { Agreement } from './blocks/agreement.ts';
import { finalBlock } from './blocks/final-block.ts';
import { rawTransfers, topicOf, transferOf, transferTopic } from './blocks/logs.ts';

export type OwnTransferDeps = {
  db: Reader;
  chain: Pick<ChainConfig, 'id' | 'tokens'>;
  agreement: Agreement;
  /** So many blocks are read at once: endpoints bound what one answer may be about. */
  blocksAtOnce: bigint;
};

/** What is looked for: transfers between these addresses, in blocks after `readTo`. */
export type Wanted = { from: string; to: string; readTo: bigint };

/** So many are read again, since an endpoint may know a block before its logs. */
const readAgain = 30n;

/**
 * The final transfers between any of these addresses since the oldest block up to which one was looked for, and up to which
 * block they are all; two endpoints must show the same, where there are two. Who sent the transaction does not matter: a
 * contract wallet's transfers name its address. Null: no block is final that was not read. Throws RpcFault or Disagreement.
 */
export async function finalOwnTransfers(
  { db, chain, agreement, blocksAtOnce }: OwnTransferDeps,
  wanted: readonly Wanted[],
): Promise<{ transfers: OwnTransfer[]; readTo: bigint } | null> {
  const final = await finalBlock(db, chain.id);
  const after = wanted.map(({ readTo }) => readTo).reduce((least, each) => (each < least ? each : least));
  if (final === null || final.number <= after) return null;
  const again = readAgain < blocksAtOnce ? readAgain : blocksAtOnce;
  const begin = after < again ? 0n : after - again;
  const to = final.number < after + blocksAtOnce ? final.number : after + blocksAtOnce;
  const transfers = await agreement.agree({
    ask: (endpoint) => ask(endpoint, { chain, wanted, range: { from: begin + 1n, to }, final }),
    same: (one, other) => contentsOf(one) === contentsOf(other),
    about: `transfers of merchants in the blocks ${begin + 1n} to ${to}`,
  });
  return { transfers, readTo: to };
}

type Asked = {
  chain: OwnTransferDeps['chain'];
  wanted: readonly Wanted[];
  range: { from: bigint; to: bigint };
  final: Block;
};

async function ask(endpoint: Endpoint, { chain, wanted, range, final }: Asked): Promise<OwnTransfer[]> {
  const [senders, receivers] = [new Set(wanted.map(({ from }) => from)), new Set(wanted.map(({ to }) => to))];
  const topics = (addresses: ReadonlySet<string>) => [...addresses].map((each) => topicOf(each as Hex));
  const filter = {
    fromBlock: hexNumber(range.from),
    toBlock: hexNumber(range.to),
    address: chain.tokens.map(({ address }) => address),
    topics: [transferTopic, topics(senders), topics(receivers)],
  };
  const calls = [headerCall(final.number), { method: 'eth_getLogs', params: [filter] }];
  const [header, logs] = await endpoint.batch(calls);
  if (requireHeader(header, final.number).hash !== final.hash)
    throw new RpcFault('refused', `has another block ${final.number} now`);
  const found = rawTransfers([logs], chain.tokens).flatMap((raw) => transferOf(raw) ?? []);
  const ours = found.filter(({ from, to }) => senders.has(from) && receivers.has(to));
  if (ours.some(({ blockNumber: at }) => at < range.from || at > range.to))
    throw new RpcFault('nonsense', 'answered with logs of other blocks');
  ours.sort((a, b) =>
    a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1,
  );
  const times = new Map<string, number>();
  return ours.map(({ blockNumber: block, transaction, token, from, to, units }) => {
    const name = [chain.id, transaction, token, from, to].join(':');
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    // A reorg may bring a transaction into another block, with other places of its logs.
    return { key: `${name}:${time}`, block, transaction, token, from, to, units };
  });
}

const contentsOf = (transfers: readonly OwnTransfer[]): string =>
  transfers.map(({ key, block, units }) => `${key} ${block} ${units}`).join();
