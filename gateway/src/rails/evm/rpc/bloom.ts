import { keccakOf } from '../addresses/forwarders.ts';
import type { Hex } from '../config/chains.ts';

/** The bloom filter of a block: each address and topic of its logs has set three of its 2,048 bits. */
export type Bloom = Buffer;

const bytes = 256;
const pattern = /^0x[0-9a-fA-F]{512}$/;

/** A header's `logsBloom`; null where it cannot be used: missing, of another form, or with every bit set. */
export function bloomOf(value: unknown): Bloom | null {
  if (typeof value !== 'string' || !pattern.test(value)) return null;
  const bloom = Buffer.from(value.slice(2), 'hex');
  return bloom.every((byte) => byte === 0xff) ? null : bloom;
}

/** The three bits of an address or a topic; two of them may be the same. */
export function bitsOf(value: Hex): readonly number[] {
  const hash = Buffer.from(keccakOf(value).slice(2), 'hex');
  return [0, 2, 4].map((at) => hash.readUInt16BE(at) % (8 * bytes));
}

/** Whether something with these bits may be in the block's logs; false: it is certainly not there. */
export function mayHold(bloom: Bloom, bits: readonly number[]): boolean {
  // Bit 0 is the lowest of the last byte.
  return bits.every((bit) => (((bloom[bytes - 1 - (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1);
}

/** The share of bits that are set. */
export function shareOfBitsSet(bloom: Bloom): number {
  let set = 0;
  for (const byte of bloom) {
    for (let rest = byte; rest > 0; rest &= rest - 1) set += 1;
  }
  return set / (8 * bytes);
}
