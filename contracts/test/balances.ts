import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from '../../gateway/src/rails/evm/config/chains.ts';
import { nativeCoin } from './fixtures.ts';

const balanceAbi = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** Reads balances in one request; those with one key are added up. */
export async function readBalances(
  rpcUrl: string,
  asked: readonly { key: string; token: Hex; owner: Hex }[],
): Promise<Record<string, bigint>> {
  const calls = asked.map(({ token, owner }, id) => {
    const data = encodeFunctionData({ abi: balanceAbi, args: [owner] });
    const read = { method: 'eth_call', params: [{ to: token, data }, 'latest'] };
    const native = { method: 'eth_getBalance', params: [owner, 'latest'] };
    return { jsonrpc: '2.0', id, ...(token === nativeCoin ? native : read) };
  });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(calls) });
  const answers = (await response.json()) as { id: number; result: Hex }[];
  const found: Record<string, bigint> = {};
  for (const { id, result } of answers) {
    const { key } = asked[id]!;
    found[key] = (found[key] ?? 0n) + BigInt(result);
  }
  return found;
}
