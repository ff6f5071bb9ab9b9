import type { Logger } from 'pino';
import type { Database } from '../../../kit/db/db.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { hexNumber, numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { type Agreement, Disagreement } from '../scan/blocks/agreement.ts';
import { finalityCall, finalNumber } from '../scan/blocks/window.ts';
import { noteFault } from './record.ts';
import type { UnderWay } from './under-way.ts';
import { receiptOf } from './view.ts';

/** The fate of a nonce up to a chain's final block; `replaced`: a transaction of another program used it. */
export type Fate =
  | { kind: 'mined'; hash: Hex; blockNumber: bigint; succeeded: boolean }
  | { kind: 'replaced' }
  | { kind: 'open' };

type Chain = Pick<ChainConfig, 'id' | 'finality' | 'confirmations'>;

/** Asks one endpoint. Throws RpcFault, also where block `through` is not final there yet. */
export async function readFate(
  endpoint: Endpoint,
  chain: Chain,
  { sender, nonce, attempts }: UnderWay,
  through: bigint,
): Promise<Fate> {
  const [finality, ...answers] = await endpoint.batch([
    finalityCall(chain),
    ...attempts.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ]);
  const final = finality === null ? -1n : finalNumber(chain, finality);
  if (final < through) throw new RpcFault('behind', `has no final block ${through} yet`);
  const receipts = answers.flatMap((answer) => (answer ? (receiptOf(answer) ?? []) : []));
  const mined = receipts.find(({ blockNumber }) => blockNumber <= final);
  if (mined) {
    const { hash, blockNumber, succeeded } = mined;
    return { kind: 'mined', hash, blockNumber, succeeded };
  }
  if (receipts.length > 0) return { kind: 'open' };
  // Of that block, and not the newest: what waits in an endpoint's pool is in no block.
  const [count] = await endpoint.batch([
    { method: 'eth_getTransactionCount', params: [sender, hexNumber(final)] },
  ]);
  return { kind: numberOf(count) > BigInt(nonce) ? 'replaced' : 'open' };
}

const isSame = (one: Fate, other: Fate): boolean =>
  one.kind === 'mined' && other.kind === 'mined'
    ? one.hash === other.hash && one.blockNumber === other.blockNumber && one.succeeded === other.succeeded
    : one.kind === other.kind;

type Deps = { db: Database; chain: Chain; agreement: Agreement; log: Logger };

/**
 * Makes the function that says whether two endpoints show the same fate of a nonce in final blocks. Where they do not,
 * that is noted with the transaction, which stays under way.
 */
export function createFates({ db, chain, agreement, log }: Deps) {
  return async (each: UnderWay, seen: Fate): Promise<boolean> => {
    const through = seen.kind === 'mined' ? seen.blockNumber : (each.overtakenAt ?? 0n);
    const about = `what became of nonce ${each.nonce} of ${each.sender}`;
    try {
      const ask = (endpoint: Endpoint) => readFate(endpoint, chain, each, through);
      return isSame(seen, await agreement.agree({ about, ask, same: isSame }));
    } catch (error) {
      if (!(error instanceof RpcFault || error instanceof Disagreement)) throw error;
      log.warn(
        { chain: chain.id, nonce: each.nonce, fault: error.message },
        'the end of a nonce is not sure yet',
      );
      await noteFault(db, each.id, error.message);
      return false;
    }
  };
}
