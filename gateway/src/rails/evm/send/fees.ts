import { numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import { askEach } from './ask.ts';

/** What a transaction offers for a unit of gas, in wei. */
export type Fees = {
  maxFee: bigint;
  /** null: the chain knows no tips (no `baseFeePerGas`), and `maxFee` is the whole price. */
  tip: bigint | null;
};

/** What gas costs now. */
export type GasPrice = {
  /** Wei that one unit of gas costs in the next block. */
  price: bigint;
  baseFee: bigint | null;
  tip: bigint;
};

const gwei = 1_000_000_000n;

/** Gwei of the configuration as wei. */
export function weiOfGwei(gweis: number): bigint {
  return BigInt(Math.round(gweis * 1_000_000)) * 1_000n;
}

export function gweiText(wei: bigint): string {
  const thousandths = (wei * 1_000n) / gwei;
  return `${thousandths / 1_000n}.${`${thousandths % 1_000n}`.padStart(3, '0')} gwei`;
}

/** Asks what gas costs; of a chain without a base fee its one price. */
export async function readGasPrice(endpoint: Endpoint): Promise<GasPrice> {
  const [block, price] = await endpoint.batch([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_gasPrice', params: [] },
  ]);
  const legacy = numberOf(price);
  const { baseFeePerGas } = (block ?? {}) as { baseFeePerGas?: unknown };
  if (baseFeePerGas === undefined || baseFeePerGas === null) {
    return { price: legacy, baseFee: null, tip: 0n };
  }
  const baseFee = numberOf(baseFeePerGas);
  // Asked by itself: not every node of such a chain knows it.
  const [asked] = await askEach(endpoint, ['eth_maxPriorityFeePerGas'], (method) => ({ method, params: [] }));
  const guess = legacy > baseFee ? legacy - baseFee : 0n;
  const tip = asked && 'answer' in asked.reply ? numberOf(asked.reply.answer) : guess;
  return { price: baseFee + tip, baseFee, tip };
}

/**
 * What a new transaction offers, or null while gas costs more than `cap`. Twice the base fee covers six full
 * blocks in a row; what is not needed is not taken.
 */
export function feesAt({ price, baseFee, tip }: GasPrice, cap: bigint): Fees | null {
  if (price > cap) return null;
  if (baseFee === null) return { maxFee: price, tip: null };
  return { maxFee: least(baseFee * 2n + tip, cap), tip };
}

/** A node takes a second transaction of one nonce only when both its price and its tip are an eighth higher. */
const eighthMore = (fee: bigint): bigint => (fee * 9n) / 8n + 1n;

/** What a replacement offers: what gas costs now, or an eighth more than before; null when `cap` forbids it. */
export function raised(before: Fees, now: GasPrice, cap: bigint): Fees | null {
  const lowest = eighthMore(before.maxFee);
  if (lowest > cap) return null;
  if (before.tip === null || now.baseFee === null) {
    return { maxFee: least(most(lowest, now.price), cap), tip: before.tip };
  }
  const tip = most(eighthMore(before.tip), now.tip);
  const maxFee = least(most(lowest, now.baseFee * 2n + tip), cap);
  return { maxFee, tip: least(tip, maxFee) };
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
