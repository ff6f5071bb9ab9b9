import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { LookUp } from '../../look-up.ts';
import type { ChainConfig } from '../config/chains.ts';
import { numberOf } from '../rpc/block.ts';
import type { Endpoint, Endpoints } from '../rpc/endpoints.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { rawTransfers, transferOf } from './blocks/logs.ts';
import type { ShownTransfer } from './blocks/recheck-plan.ts';
import { noteOtherCoins, type OtherCoin, otherCoinsIn } from './other-coins.ts';

/** A chain and its endpoints. */
export type ChainWithEndpoints = { chain: ChainConfig; endpoints: Endpoints };

export type LookUpDeps = {
  db: Database;
  chains: readonly ChainWithEndpoints[];
  /** Makes the scanner of a chain look for what a receipt showed. */
  recheck: (chainId: number, shown: readonly ShownTransfer[]) => Promise<void>;
  now: Clock;
  log: Logger;
  /** A customer waits: chains that have not answered by then count as not asked. */
  withinMs?: number;
};

const hashPattern = /^0x[0-9a-f]{64}$/;
/** The answers of chains, the best one first. */
const order: readonly LookUp[] = [
  'found',
  'waiting',
  'failed',
  'other_coin',
  'elsewhere',
  'unasked',
  'unknown',
];

/** A transaction's hash in lower case; null for a text that is not a hash. */
export function readTransaction(text: string): string | null {
  const hash = text.trim().toLowerCase();
  return hashPattern.test(hash) ? hash : null;
}

/**
 * Looks on every chain of the payment's mode for a transaction that a customer names. One that paid an address of the payment, and that the
 * scanner lacks, is looked for until it counts: when two endpoints show it in a final block, and not before. Returns
 * null for a text that is not a transaction of such a chain. It never fails because of an endpoint.
 */
export function createLookUp({ db, chains, recheck, now, log, withinMs = 2_000 }: LookUpDeps) {
  async function askChain(
    { chain, endpoints }: ChainWithEndpoints,
    transaction: string,
    addresses: ReadonlySet<string>,
  ): Promise<LookUp> {
    const { value } = await endpoints.use((endpoint) => ask(endpoint, chain, transaction, addresses));
    if (value.result === 'found') await recheck(chain.id, value.shown);
    if (value.result === 'other_coin') {
      await noteOtherCoins(db, { chainId: chain.id, transaction }, value.coins, now());
      for (const { token, address, units } of value.coins) {
        log.warn(
          { chain: chain.id, transaction, token, address, units: `${units}` },
          'a payment was sent a coin or token that is not taken: florin sweep --token recovers it',
        );
      }
    }
    return value.result;
  }

  async function askAll(
    asked: readonly ChainWithEndpoints[],
    transaction: string,
    addresses: ReadonlySet<string>,
  ): Promise<LookUp> {
    const { promise, resolve } = Promise.withResolvers<LookUp>();
    let best: LookUp = 'unknown';
    const note = (result: LookUp): void => {
      if (order.indexOf(result) < order.indexOf(best)) best = result;
    };
    const answers = asked.map(async (each) => {
      try {
        const result = await askChain(each, transaction, addresses);
        note(result);
        // A hash belongs to one transaction on one chain: no other chain can know more.
        if (result === 'found' || result === 'waiting' || result === 'failed') resolve(result);
      } catch (error) {
        note('unasked');
        if (error instanceof RpcFault) return;
        log.error({ err: error, chain: each.chain.id }, 'a transaction could not be looked up');
      }
    });
    const timer = setTimeout(() => {
      note('unasked');
      resolve(best);
    }, withinMs);
    Promise.all(answers).then(() => resolve(best));
    const result = await promise;
    clearTimeout(timer);
    return result;
  }

  return async (paymentId: string, text: string): Promise<LookUp | null> => {
    const transaction = readTransaction(text);
    if (transaction === null) return null;
    const { rows: known } = await db.query(
      `SELECT FROM evm_transfers
       WHERE owner_id = $1 AND transaction = $2 AND kind = 'deposit' AND state <> 'gone' LIMIT 1`,
      [paymentId, transaction],
    );
    if (known.length > 0) return 'found';
    const { rows } = await db.query<{ address: string; is_test: boolean }>(
      'SELECT address, is_test FROM evm_addresses WHERE owner_id = $1',
      [paymentId],
    );
    const [first] = rows;
    if (!first) return 'unknown';
    const asked = chains.filter(({ chain: { isTest = false } }) => isTest === first.is_test);
    return await askAll(asked, transaction, new Set(rows.map(({ address }) => address)));
  };
}

type ChainAnswer =
  | { result: 'found'; shown: ShownTransfer[] }
  | { result: 'other_coin'; coins: OtherCoin[] }
  | { result: Exclude<LookUp, 'found' | 'other_coin'> };

async function ask(
  endpoint: Endpoint,
  { tokens }: ChainConfig,
  transaction: string,
  addresses: ReadonlySet<string>,
): Promise<ChainAnswer> {
  const [answer, known] = await endpoint.batch([
    { method: 'eth_getTransactionReceipt', params: [transaction] },
    { method: 'eth_getTransactionByHash', params: [transaction] },
  ]);
  const { blockNumber, logs, status } = (answer ?? {}) as Record<string, unknown>;
  // Some nodes show a transaction that waits, without a block.
  if (blockNumber === undefined || blockNumber === null) return { result: known ? 'waiting' : 'unknown' };
  if (numberOf(status) === 0n) return { result: 'failed' };
  const shown = rawTransfers([logs], tokens).flatMap((raw): ShownTransfer[] => {
    const transfer = addresses.has(raw.to) ? transferOf(raw) : null;
    return transfer ? [{ ...transfer, kind: 'deposit' }] : [];
  });
  if (shown.length > 0) return { result: 'found', shown };
  const mined = { transaction: known, logs, blockNumber: numberOf(blockNumber) };
  const coins = otherCoinsIn(mined, addresses);
  return coins.length > 0 ? { result: 'other_coin', coins } : { result: 'elsewhere' };
}
