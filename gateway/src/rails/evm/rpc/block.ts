import { smallNumber } from '../../../money/small-number.ts';
import type { Hex } from '../config/chains.ts';
import { type Bloom, bloomOf } from './bloom.ts';
import type { RpcCall } from './rpc.ts';
import { RpcFault } from './rpc-fault.ts';

/** A block by number and hash: after a reorg another block has the same number. */
export type Block = { number: bigint; hash: Hex };

/** `bloom` is null where the header has none that can be used. */
export type Header = Block & { parent: Hex; at: Date; bloom: Bloom | null };

export type BlockTag = bigint | 'latest' | 'finalized';

export const hexNumber = (number: bigint): Hex => `0x${number.toString(16)}`;

/** The call that asks for a block without its transactions. */
export function headerCall(tag: BlockTag): RpcCall {
  return {
    method: 'eth_getBlockByNumber',
    params: [typeof tag === 'bigint' ? hexNumber(tag) : tag, false],
  };
}

const hashPattern = /^0x[0-9a-f]{64}$/;

/** A hash in lower case. Throws RpcFault for anything else. */
export function hashOf(value: unknown): Hex {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!hashPattern.test(text)) throw new RpcFault('nonsense', 'answered with a malformed hash');
  return text as Hex;
}

/** A number as JSON-RPC writes it. Throws RpcFault for anything else. */
export function numberOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
    throw new RpcFault('nonsense', 'answered with a malformed number');
  }
  return BigInt(value);
}

/** No chain has so many blocks, and every column for block numbers can hold them. */
const beyondAllBlocks = 2n ** 53n;

/** A block's number. Throws RpcFault for anything else. */
export function blockNumberOf(value: unknown): bigint {
  const number = numberOf(value);
  if (number >= beyondAllBlocks) throw new RpcFault('nonsense', `answered with block ${number}`);
  return number;
}

/** The end of the year 9999 in seconds: every `timestamptz` can hold times before it. */
const beyondAllTimes = 253_402_300_800n;

/** The time of a block. Throws RpcFault for a malformed one. */
function timeOf(timestamp: unknown): Date {
  const seconds = numberOf(timestamp);
  if (seconds >= beyondAllTimes) throw new RpcFault('nonsense', 'answered with a malformed block time');
  return new Date(smallNumber(seconds) * 1000);
}

/** The answer to a `headerCall`; null: there is no such block. Throws RpcFault for a malformed header. */
export function headerOf(value: unknown): Header | null {
  if (value === null || value === undefined) return null;
  const { number, hash, parentHash, timestamp, logsBloom } = value as Record<string, unknown>;
  return {
    number: blockNumberOf(number),
    hash: hashOf(hash),
    parent: hashOf(parentHash),
    at: timeOf(timestamp),
    bloom: bloomOf(logsBloom),
  };
}

/** The answer to a `headerCall` for a block that must exist. Throws RpcFault where it does not. */
export function requireHeader(value: unknown, tag: BlockTag): Header {
  const header = headerOf(value);
  if (!header) {
    const kind = typeof tag === 'bigint' ? 'behind' : 'refused';
    throw new RpcFault(kind, `has no block ${tag} yet`);
  }
  if (typeof tag === 'bigint' && header.number !== tag) {
    throw new RpcFault('nonsense', `answered with block ${header.number} for block ${tag}`);
  }
  return header;
}
