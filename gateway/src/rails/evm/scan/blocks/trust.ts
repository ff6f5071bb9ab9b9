import type { ChainConfig } from '../../config/chains.ts';
import type { Header } from '../../rpc/block.ts';

/** The furthest head that two endpoints knew or that time explains, and when it was asked for. */
export type Trusted = { number: bigint; at: Date };

/** So many blocks at once, or what a chain makes in so many seconds, are no leap. */
const freeBlocks = 500;
const freeSeconds = 600;
/** A chain may be so many times faster than it was configured. */
const haste = 3;

/** The furthest block to which a chain may have come since; null: nothing is known of it yet. */
export function reachOf(trusted: Trusted | null, { blockSeconds }: ChainConfig, now: Date): bigint | null {
  if (trusted === null) return null;
  const seconds = Math.max(0, now.getTime() - trusted.at.getTime()) / 1000;
  const free = Math.max(freeBlocks, freeSeconds / blockSeconds);
  return trusted.number + BigInt(Math.ceil(free + (haste * seconds) / blockSeconds));
}

/** What is trusted once this head is: never less than before. */
export function trustIn(trusted: Trusted | null, { number }: Header, at: Date): Trusted {
  return trusted === null || number >= trusted.number ? { number, at } : trusted;
}
