import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { hex, type RpcFaults } from './rpc-proxy.ts';

/** A header as an endpoint tells it that shifts the times of blocks, or has another bloom. */
export function alteredHeader<T extends { timestamp: Hex }>(
  header: T,
  { bloom, blocksLateSeconds }: RpcFaults,
) {
  return {
    ...header,
    timestamp: hex(BigInt(header.timestamp) + BigInt(blocksLateSeconds)),
    ...(bloom === null ? {} : { logsBloom: bloom === 'missing' ? undefined : bloom }),
  };
}
