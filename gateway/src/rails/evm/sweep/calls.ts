import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../chains.ts';
import { paymentWord } from '../forwarders.ts';

const hashOf = (signature: string): string => Buffer.from(keccak_256(Buffer.from(signature))).toString('hex');
const selector = (signature: string): string => hashOf(signature).slice(0, 8);
const word = (value: Hex | number | bigint): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');

const sweepSelector = selector('sweep(address,address,bytes32[])');
const transferSelector = selector('transfer(address,uint256)');
const balanceSelector = selector('balanceOf(address)');
const sweptTopic = `0x${hashOf('Swept(bytes32,address,address,uint256)')}`;

/** Stands for the native coin where a token's address does. */
export const nativeCoin: Hex = `0x${'0'.repeat(40)}`;

/** The factory's call that moves all that these payments' addresses hold of a token to the treasury. */
export function sweepCall(token: Hex, treasury: Hex, paymentIds: readonly string[]): Hex {
  const payments = paymentIds.map((id) => paymentWord(id).slice(2));
  // The list begins after the three words before it.
  const words = [word(token), word(treasury), word(96), word(paymentIds.length), ...payments];
  return `0x${sweepSelector}${words.join('')}`;
}

export function transferCall(to: Hex, units: bigint): Hex {
  return `0x${transferSelector}${word(to)}${word(units)}`;
}

export function balanceCall(owner: Hex): Hex {
  return `0x${balanceSelector}${word(owner)}`;
}

/** The one true answer to a transfer is 1; some tokens answer nothing at all. */
export function saysYes(answer: Hex): boolean {
  return answer === '0x' || BigInt(answer) === 1n;
}

export type Log = { address: Hex; topics: Hex[]; data: Hex };

/** What a mined sweep moved for each payment, as the factory's events tell. */
export function sweptIn(
  logs: readonly Log[],
  factory: Hex,
  paymentIds: readonly string[],
): Map<string, bigint> {
  const byWord = new Map(paymentIds.map((id) => [paymentWord(id), id]));
  const moved = new Map<string, bigint>();
  for (const { address, topics, data } of logs) {
    const payment = byWord.get((topics[1] ?? '0x').toLowerCase() as Hex);
    if (address.toLowerCase() !== factory || topics[0] !== sweptTopic || payment === undefined) continue;
    moved.set(payment, (moved.get(payment) ?? 0n) + BigInt(data));
  }
  return moved;
}
