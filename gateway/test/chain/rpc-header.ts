import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { longHash } from './rpc-logs.ts';
import { hex, type RpcFaults } from './rpc-proxy.ts';

export type BlockAnswer = { timestamp: Hex; hash: Hex; parentHash: Hex };

/** A header as an endpoint tells it that shifts the times of blocks, or has other hashes or another bloom. */
export function alteredHeader(header: BlockAnswer, { bloom, blocksLateSeconds, longHashes }: RpcFaults) {
  return {
    ...header,
    timestamp: hex(BigInt(header.timestamp) + BigInt(blocksLateSeconds)),
    ...(longHashes ? { hash: longHash(header.hash), parentHash: longHash(header.parentHash) } : {}),
    ...(bloom === null ? {} : { logsBloom: bloom === 'missing' ? undefined : bloom }),
  };
}
