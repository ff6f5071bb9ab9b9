import type { Hex } from '../config/chains.ts';
import { numberOf } from '../rpc/block.ts';
import type { Endpoint } from '../rpc/endpoints.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';
import { balanceCall, selector, word } from '../send/words.ts';

export function limitCall(token: Hex): Hex {
  return `0x${selector('limitOf(address)')}${word(token)}`;
}

/** Calls without arguments, by name. */
export const vaultReads = {
  admin: `0x${selector('admin()')}`,
  nextAdmin: `0x${selector('nextAdmin()')}`,
  signer: `0x${selector('signer()')}`,
  paused: `0x${selector('paused()')}`,
} as const satisfies Record<string, Hex>;

/** The words of an answer. Throws RpcFault where it has fewer than `atLeast`. */
export function wordsOf(answer: unknown, atLeast: number): string[] {
  if (typeof answer !== 'string' || !/^0x(?:[0-9a-fA-F]{64})*$/.test(answer)) {
    throw new RpcFault('nonsense', 'answered with malformed words');
  }
  const found = answer.slice(2).toLowerCase().match(/.{64}/g) ?? [];
  if (found.length < atLeast) throw new RpcFault('nonsense', 'answered with too few words');
  return found;
}

export const numberAt = (words: readonly string[], at: number): bigint => BigInt(`0x${words[at] ?? ''}`);
export const addressAt = (words: readonly string[], at: number): Hex => `0x${(words[at] ?? '').slice(24)}`;

/** A vault as the chain shows it. */
export type VaultState = {
  admin: Hex;
  /** Who becomes the admin by accepting; null: nobody. */
  nextAdmin: Hex | null;
  signer: Hex | null;
  /** Wei that the signer has for gas. */
  gas: bigint;
  isPaused: boolean;
  /** In the order of the tokens that were asked for, in their smallest units. */
  tokens: { token: Hex; held: bigint; limit: bigint; left: bigint }[];
};

/** Reads a vault; null: there is no contract. Throws RpcFault. */
export async function readVaultState(
  endpoint: Endpoint,
  vault: Hex,
  tokens: readonly Hex[],
): Promise<VaultState | null> {
  const call = (to: Hex, data: Hex): RpcCall => ({ method: 'eth_call', params: [{ to, data }, 'latest'] });
  const [code] = await endpoint.batch([{ method: 'eth_getCode', params: [vault, 'latest'] }]);
  if (code === '0x') return null;
  const { admin, nextAdmin, signer, paused } = vaultReads;
  const answers = await endpoint.batch([admin, nextAdmin, signer, paused].map((data) => call(vault, data)));
  const [owner, next, by] = answers.slice(0, 3).map((answer) => addressAt(wordsOf(answer, 1), 0)) as [
    Hex,
    Hex,
    Hex,
  ];
  const found: VaultState['tokens'] = [];
  for (const token of tokens) {
    const [limits, held] = await endpoint.batch([
      call(vault, limitCall(token)),
      call(token, balanceCall(vault)),
    ]);
    const words = wordsOf(limits, 2);
    found.push({ token, held: numberOf(held), limit: numberAt(words, 0), left: numberAt(words, 1) });
  }
  const [gas] = await endpoint.batch([{ method: 'eth_getBalance', params: [by, 'latest'] }]);
  return {
    admin: owner,
    nextAdmin: someone(next),
    signer: someone(by),
    gas: someone(by) === null ? 0n : numberOf(gas),
    isPaused: numberAt(wordsOf(answers[3], 1), 0) === 1n,
    tokens: found,
  };
}

const someone = (address: Hex): Hex | null => (/^0x0*$/.test(address) ? null : address);
