import { keccak_256 } from '@noble/hashes/sha3.js';
import { factoryAddress, forwarderAddress, paymentWord } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';
import { transferTopic } from '../scan/blocks/logs.ts';

const hashOf = (signature: string): string => Buffer.from(keccak_256(Buffer.from(signature))).toString('hex');
const selector = (signature: string): string => hashOf(signature).slice(0, 8);
const word = (value: Hex | number | bigint): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');

const sweepSelector = selector('sweep(address,address,bytes32[])');
const transferSelector = selector('transfer(address,uint256)');
const sweepOneSelector = selector('sweepOne(address,address,bytes32)');
const failedTopic = `0x${hashOf('SweepFailed(bytes32,address,address)')}`;

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

/** The factory's call that moves what one payment's address holds; it answers how much, and fails as a whole. */
export function sweepOneCall(token: Hex, treasury: Hex, paymentId: string): Hex {
  return `0x${sweepOneSelector}${word(token)}${word(treasury)}${word(paymentWord(paymentId))}`;
}

export type Log = { address: Hex; topics: Hex[]; data: Hex };

/** A sweep as it was sent. */
export type SentSweep = { token: Hex; treasury: Hex; payments: readonly string[] };

export type SweepResult = {
  /** In the token's smallest units; of the native coin, whose moves leave no log, null. */
  moved: bigint | null;
  /** Payments whose deposits stay where they were. */
  failed: string[];
};

/** What a mined sweep did, by the logs of its receipt. */
export function resultOf(logs: readonly Log[], { token, treasury, payments }: SentSweep): SweepResult {
  const from = new Set(payments.map((payment) => `0x${word(forwarderAddress(treasury, payment))}`));
  const failures = new Set<Hex>();
  let moved = 0n;
  for (const { address, topics, data } of logs) {
    const [topic, first = '0x', second = '0x'] = topics;
    const emitter = address.toLowerCase();
    if (emitter === factoryAddress && topic === failedTopic) failures.add(first);
    if (emitter !== token || topic !== transferTopic) continue;
    if (from.has(first) && second === `0x${word(treasury)}`) moved += BigInt(data);
  }
  return {
    moved: token === nativeCoin ? null : moved,
    failed: payments.filter((payment) => failures.has(paymentWord(payment))),
  };
}
