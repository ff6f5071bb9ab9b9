import { smallNumber } from '../../../money/small-number.ts';
import type { Hex } from '../config/chains.ts';
import { type Bloom, bloomOf } from './bloom.ts';
import type { RpcCall } from './rpc.ts';
import { RpcFault } from './rpc-fault.ts';

/** A block as one chain of blocks has it: another block of the same number has another hash. */
export type Block = { number: bigint; hash: Hex };

/** `bloom` is null where it says nothing. */
export type Header = Block & { parent: Hex; at: Date; bloom: Bloom | null };

export type BlockTag = bigint | 'latest' | 'finalized';

export const hexNumber = (number: bigint): Hex => `0x${number.toString(16)}`;

/** Asks for a block without its transactions. */
export function headerCall(tag: BlockTag): RpcCall {
  return {
    method: 'eth_getBlockByNumber',
    params: [typeof tag === 'bigint' ? hexNumber(tag) : tag, false],
  };
}

const hashPattern = /^0x[0-9a-f]{64}$/;

/** A hash as it is kept. Throws RpcFault for anything else. */
export function hashOf(value: unknown): Hex {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!hashPattern.test(text)) throw new RpcFault('nonsense', 'answered with a hash that is none');
  return text as Hex;
}

/** A number of JSON-RPC. Throws RpcFault for anything else. */
export function numberOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
    throw new RpcFault('nonsense', 'answered with a number that is none');
  }
  return BigInt(value);
}

/** No chain comes so far, and every column for block numbers has room for it. */
const beyondAllBlocks = 2n ** 53n;

/** A block's number. Throws RpcFault for anything else. */
export function blockNumberOf(value: unknown): bigint {
  const number = numberOf(value);
  if (number >= beyondAllBlocks) throw new RpcFault('nonsense', `answered with block ${number}`);
  return number;
}

/** No chain gives its blocks times after the year 9999, and every `timestamptz` has room for them. */
const beyondAllTimes = 253_402_300_800n;

/** The time that a chain gives a block. Throws RpcFault where there is none. */
function timeOf(timestamp: unknown): Date {
  const seconds = numberOf(timestamp);
  if (seconds >= beyondAllTimes) throw new RpcFault('nonsense', 'answered with a block time that is none');
  return new Date(smallNumber(seconds) * 1000);
}

/** The answer to a `headerCall`; null: it has no such block. Throws RpcFault for what is no header. */
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

/** The answer of an endpoint that must have the block. Throws RpcFault where it has not. */
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
