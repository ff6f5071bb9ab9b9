import { factoryAddress, forwarderAddress, ownerWord } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';
import { transferTopic } from '../scan/blocks/logs.ts';
import { eventTopic, type Log, nativeCoin, selector, word } from '../send/words.ts';

const sweepSelector = selector('sweep(address,address,bytes32[])');
const sweepOneSelector = selector('sweepOne(address,address,bytes32)');
const failedTopic = eventTopic('SweepFailed(bytes32,address,address)');

/** The factory's call that moves all that these owners' addresses hold of a token to the treasury. */
export function sweepCall(token: Hex, treasury: Hex, owners: readonly string[]): Hex {
  const ids = owners.map((owner) => ownerWord(owner).slice(2));
  // The list begins after the three words before it.
  const words = [word(token), word(treasury), word(96), word(owners.length), ...ids];
  return `0x${sweepSelector}${words.join('')}`;
}

/** The factory's call that moves what one owner's address holds; it answers how much, and fails as a whole. */
export function sweepOneCall(token: Hex, treasury: Hex, owner: string): Hex {
  return `0x${sweepOneSelector}${word(token)}${word(treasury)}${word(ownerWord(owner))}`;
}

/** A sweep as it was sent. */
export type SentSweep = { token: Hex; treasury: Hex; owners: readonly string[] };

export type SweepResult = {
  /** In the token's smallest units; of the native coin, whose moves leave no log, null. */
  moved: bigint | null;
  /** Owners whose deposits stay where they were. */
  failed: string[];
};

/** What a mined sweep did, by the logs of its receipt. */
export function resultOf(logs: readonly Log[], { token, treasury, owners }: SentSweep): SweepResult {
  const from = new Set(owners.map((owner) => `0x${word(forwarderAddress(treasury, owner))}`));
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
    failed: owners.filter((owner) => failures.has(ownerWord(owner))),
  };
}
