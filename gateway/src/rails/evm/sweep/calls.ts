import { factoryAddress, forwarderAddress, ownerWord } from '../addresses/forwarders.ts';
import type { Split } from '../addresses/splitters.ts';
import type { Hex } from '../config/chains.ts';
import { transferTopic } from '../scan/blocks/logs.ts';
import { eventTopic, type Log, nativeCoin, selector, word } from '../send/words.ts';

const sweepSelector = selector('sweep(address,address,bytes32[])');
const sweepOneSelector = selector('sweepOne(address,address,bytes32)');
const settleSelector = selector('settle((address,address,uint256),address[],bytes32[])');
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

/**
 * The splitters' call that moves what these owners' addresses hold of a token to their splitter, and divides all that this
 * holds: both in one transaction. Without owners it only divides.
 */
export function settleCall(
  token: Hex,
  { merchant, host, basisPoints }: Split,
  owners: readonly string[],
): Hex {
  const ids = owners.map((owner) => ownerWord(owner).slice(2));
  // Three words of the split and two of the lists' places come before the lists.
  const lists = [word(160), word(224), word(1), word(token), word(ids.length), ...ids];
  return `0x${settleSelector}${[word(merchant), word(host), word(basisPoints), ...lists].join('')}`;
}

/** A call of one of the two factories. */
export type SweepCall = { to: Hex; data: Hex };

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
