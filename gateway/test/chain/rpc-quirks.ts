import type { Hex } from '../../src/rails/evm/config/chains.ts';
import type { RpcLog } from './rpc-proxy.ts';

// What real nodes make of their logs and hashes.

/** Logs whose data has no zeros at its beginning, as some nodes write numbers. */
export const unpadded = (logs: RpcLog[]): RpcLog[] =>
  logs.map((log) => {
    const digits = BigInt(log.data).toString(16);
    return { ...log, data: `0x${digits.padStart(digits.length + (digits.length % 2), '0')}` };
  });

/** So many logs of each answer, and no word of the others. */
export const firstOnly =
  (count: number) =>
  (logs: RpcLog[]): RpcLog[] =>
    logs.slice(0, count);

/** A hash as an endpoint with `longHashes` writes it. */
export const longHash = (hash: Hex): Hex => `${hash}${'ab'.repeat(16)}`;
