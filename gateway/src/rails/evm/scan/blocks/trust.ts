import type { ChainConfig } from '../../config/chains.ts';
import type { Header } from '../../rpc/block.ts';

/** The furthest head that two endpoints knew or that the time passed explains, and when it was asked for. */
export type Trusted = { number: bigint; at: Date };

/** A head may be further by this many blocks, or by those that the chain makes in this time, and is still trusted. */
const freeBlocks = 500;
const freeSeconds = 600;
/** A chain may be faster than configured by this factor. */
const fasterBy = 3;

/** The furthest block that a chain can have by now; null: no head was trusted yet. */
export function reachOf(trusted: Trusted | null, { blockSeconds }: ChainConfig, now: Date): bigint | null {
  if (trusted === null) return null;
  const seconds = Math.max(0, now.getTime() - trusted.at.getTime()) / 1000;
  const free = Math.max(freeBlocks, freeSeconds / blockSeconds);
  return trusted.number + BigInt(Math.ceil(free + (fasterBy * seconds) / blockSeconds));
}

/** What is trusted after this head: never less than before. */
export function trustIn(trusted: Trusted | null, { number }: Header, at: Date): Trusted {
  return trusted === null || number >= trusted.number ? { number, at } : trusted;
}
