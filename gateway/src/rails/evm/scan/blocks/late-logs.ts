import { after } from '../../../../kit/clock.ts';
import type { Reader } from '../../../../kit/db/db.ts';
import { smallNumber } from '../../../../money/small-number.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import { type Header, numberOf } from '../../rpc/block.ts';
import { type Bloom, bitsOf, mayHold, shareOfBitsSet } from '../../rpc/bloom.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import { type RawTransfer, topicOf, transferTopic, type Watched } from './logs.ts';
import { type Places, placesIn } from './place-watch.ts';

/**
 * An endpoint has a block and does not seem to have its logs yet. This is no fault: the block is asked for again a
 * moment later.
 */
export class LogsLate extends RpcFault {
  readonly block: bigint;
  constructor(block: bigint) {
    super('behind', `has block ${block}, and not yet all of its logs`);
    this.block = block;
  }
}

/** What one round learns from the blooms in headers. */
export type LateLogs = {
  /** The end of a window that is meant to go to `to`. Near the head it is close, so that each header is checked. */
  cut(after: bigint, to: bigint): bigint;
  /** The blocks of a window whose headers are asked for besides the header of its end. */
  before(after: bigint, to: bigint): bigint[];
  /** Throws LogsLate for the first of these blocks whose bloom has a transfer of ours that is not among `transfers`. */
  require(headers: readonly Header[], transfers: readonly RawTransfer[]): Promise<void>;
};

export type LateLogsDeps = { reader: Reader; chain: Pick<ChainConfig, 'tokens' | 'blockSeconds' | 'isTest'> };

/** What a round looks for, and when it began. */
export type Sight = { head: bigint; watched: Watched; places: Places; now: Date };

/** Logs are late near the head only, and they are waited for no longer than this. */
const waitSeconds = 60;
/**
 * After a wait without a result no other one begins for this long: a match by chance, or worthless logs of others, must
 * not slow a chain down.
 */
const restSeconds = 600;
const shortWindow = 16n;
/** A bloom is not used if it is expected to match more of our addresses than this by chance. */
const expectedAtMost = 0.01;
/** Where all transfers are read, only this many of the newest addresses are looked for. */
const newestAtMost = 1_000;
const keptBits = 20_000;

/**
 * Finds out by the blooms in headers that an endpoint's index of logs lags behind its blocks: a bloom has the bits of
 * a listed token, of `Transfer` and of an address of ours, and no transfer in the logs names this address. Such a
 * block is read again until it has been known for a minute. The bloom can only delay: where it is so full that it
 * would match by chance, as on every busy chain, it is not used, and the second reading finds what is missing. What
 * is remembered here is lost with the process, which costs another minute at most.
 */
export function createLateLogs({ reader, chain }: LateLogsDeps): (sight: Sight) => LateLogs {
  const firstYoung = createBlockAges(chain);
  const bits = new Map<Hex, readonly number[]>();
  const waiting = new Set<bigint>();
  let restUntil = new Date(0);
  let isUseful = true;

  function bitsFor(value: Hex): readonly number[] {
    const found = bits.get(value);
    if (found) return found;
    if (bits.size >= keptBits) bits.clear();
    const made = bitsOf(value);
    bits.set(value, made);
    return made;
  }

  async function candidates({ watched, places }: Sight): Promise<Hex[]> {
    // Anybody can send tokens to a treasury. A sweep of ours names an address of ours as well.
    const others = placesIn(places);
    if (watched !== 'all') return watched.receivers.filter((address) => !others.has(address));
    const { rows } = await reader.query<{ address: Hex }>(
      'SELECT address FROM evm_addresses WHERE is_test = $2 ORDER BY created_at DESC LIMIT $1',
      [newestAtMost, chain.isTest ?? false],
    );
    return rows.map(({ address }) => address);
  }

  async function isLate(sight: Sight, { number, bloom }: Header, transfers: readonly RawTransfer[]) {
    isUseful = bloom !== null && isSelective(bloom, sight);
    if (!isUseful || !bloom || !mayHold(bloom, bitsFor(transferTopic))) return false;
    if (!chain.tokens.some(({ address }) => mayHold(bloom, bitsFor(address)))) return false;
    const named = new Set<Hex>();
    for (const { log, from, to } of transfers) {
      if (numberOf(log.blockNumber) === number) named.add(from).add(to);
    }
    const ours = await candidates(sight);
    return ours.some((address) => !named.has(address) && mayHold(bloom, bitsFor(topicOf(address))));
  }

  return (sight) => {
    const young = firstYoung(sight.head, sight.now);
    for (const number of waiting) {
      if (number >= young) continue;
      waiting.delete(number);
      restUntil = after(sight.now, restSeconds);
    }
    const isOff = () => sight.now < restUntil || !isUseful;
    return {
      cut(from, to) {
        if (isOff() || to < young || to - from <= shortWindow) return to;
        const end = from + shortWindow;
        return end < young ? young - 1n : end;
      },
      before(from, to) {
        if (isOff() || to < young || to - from > shortWindow) return [];
        return Array.from({ length: smallNumber(to - from) - 1 }, (_, at) => from + 1n + BigInt(at));
      },
      async require(headers, transfers) {
        if (sight.now < restUntil) return;
        for (const header of headers.filter(({ number }) => number >= young)) {
          if (await isLate(sight, header, transfers)) {
            waiting.add(header.number);
            throw new LogsLate(header.number);
          }
          waiting.delete(header.number);
        }
      },
    };
  };
}

/** Whether a bloom is empty enough that it hardly matches one of our addresses by chance. */
function isSelective(bloom: Bloom, { watched }: Sight): boolean {
  const count = watched === 'all' ? newestAtMost : watched.receivers.length;
  return count * shareOfBitsSet(bloom) ** 3 <= expectedAtMost;
}

/** Returns a function that notes the head, and returns the first block that has been known for less than a minute. */
function createBlockAges({ blockSeconds }: Pick<ChainConfig, 'blockSeconds'>) {
  const minute = BigInt(Math.ceil(waitSeconds / blockSeconds));
  /** Which head was known, and since when. */
  const known: { head: bigint; at: Date }[] = [];
  return (head: bigint, now: Date): bigint => {
    // A chain that became shorter has other blocks now.
    while ((known.at(-1)?.head ?? -1n) > head) known.pop();
    if (known.at(-1)?.head !== head) known.push({ head, at: now });
    const past = after(now, -waitSeconds);
    while (known[1] && known[1].at <= past) known.shift();
    const [oldest] = known;
    const old = oldest && oldest.at <= past ? oldest.head : -1n;
    return old > head - minute ? old + 1n : head - minute + 1n;
  };
}
