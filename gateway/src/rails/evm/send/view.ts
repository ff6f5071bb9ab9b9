import { smallNumber } from '../../../money/small-number.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { blockNumberOf, numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { finalityCall, finalNumber } from '../scan/blocks/window.ts';
import type { UnderWay } from './under-way.ts';
import type { Log } from './words.ts';

export type Receipt = {
  hash: Hex;
  blockNumber: bigint;
  succeeded: boolean;
  gasUsed: bigint;
  gasPrice: bigint;
  logs: Log[];
};

/** What one endpoint shows, at one moment, of a chain and of our transactions under way there. */
export type View = {
  head: bigint;
  /** The last final block; -1 while there is none. */
  final: bigint;
  /** How many transactions each sender has on the chain: its next nonce. */
  counts: ReadonlyMap<Hex, number>;
  /** For the first sender, the same with the transactions that wait in the endpoint's pool. */
  pending: number;
  receipts: ReadonlyMap<Hex, Receipt>;
};

/** The next nonce of a sender that the view was asked for. */
export function countOf(view: View, sender: Hex): number {
  const count = view.counts.get(sender);
  if (count === undefined) throw new Error(`The view has no transaction count of ${sender}`);
  return count;
}

/** Asks for everything at once, so that the parts fit together. The first sender's pool is asked for too. */
export async function readView(
  endpoint: Endpoint,
  chain: Pick<ChainConfig, 'finality' | 'confirmations'>,
  senders: readonly [Hex, ...Hex[]],
  open: readonly UnderWay[],
): Promise<View> {
  const hashes = open.flatMap(({ attempts }) => attempts.map(({ hash }) => hash));
  const countCall = (sender: Hex, tag: string) => ({
    method: 'eth_getTransactionCount',
    params: [sender, tag],
  });
  const [head, final, pending, ...rest] = await endpoint.batch([
    { method: 'eth_blockNumber', params: [] },
    finalityCall(chain),
    countCall(senders[0], 'pending'),
    ...senders.map((sender) => countCall(sender, 'latest')),
  ]);
  // In one batch, which fails as a whole: a node that still indexes must not look as if there were no receipt.
  const receipts = await endpoint.batch(
    hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  return {
    head: blockNumberOf(head),
    // A young chain may have no final block yet.
    final: final === null ? -1n : finalNumber(chain, final),
    counts: new Map(senders.map((sender, at) => [sender, smallNumber(numberOf(rest[at]))])),
    pending: smallNumber(numberOf(pending)),
    receipts: new Map(
      hashes.flatMap((hash, at) => {
        const receipt = receipts[at] ? receiptOf(receipts[at]) : null;
        return receipt ? [[hash, receipt] as const] : [];
      }),
    ),
  };
}

/** A receipt as a node answers it; null while the transaction waits. Throws RpcFault. */
export function receiptOf(answer: unknown): Receipt | null {
  const { transactionHash, blockNumber, status, gasUsed, effectiveGasPrice, logs } = answer as Record<
    string,
    unknown
  >;
  // Some nodes return a transaction that waits, without its block.
  if (blockNumber === null || blockNumber === undefined) return null;
  if (typeof transactionHash !== 'string' || !Array.isArray(logs)) {
    throw new RpcFault('nonsense', 'a receipt without its transaction or logs');
  }
  return {
    hash: transactionHash.toLowerCase() as Hex,
    blockNumber: blockNumberOf(blockNumber),
    succeeded: numberOf(status) === 1n,
    gasUsed: numberOf(gasUsed),
    gasPrice: effectiveGasPrice === undefined ? 0n : numberOf(effectiveGasPrice),
    logs: logs as Log[],
  };
}
