import {
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  numberToHex,
  toFunctionSelector,
} from 'viem';
import { deployer } from '../../src/rails/evm/addresses/forwarders.ts';
import artifact from '../../src/rails/evm/addresses/payout-vault.json' with { type: 'json' };
import { vaultAddress, vaultCode } from '../../src/rails/evm/addresses/vault.ts';
import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { accounts, type TestChain } from './chain.ts';

export const vaultAbi = artifact.abi;
export const admin = accounts.admin.address.toLowerCase() as Hex;
export const signer = accounts.signer.address.toLowerCase() as Hex;

export type TestPayout = { id: bigint; to: Hex; amount: bigint };
export type VaultLog = { name: string; id?: bigint; to?: Hex; amount?: bigint; reason?: string };
export type VaultOutcome = { succeeded: boolean; gasUsed: bigint; logs: VaultLog[] };

type Receipt = { status: Hex; gasUsed: Hex; logs: { address: Hex; topics: [Hex, ...Hex[]]; data: Hex }[] };

/** The selector of an error of the vault, as its event and `pay` name it. */
export const reasonOf = (error: string): Hex => toFunctionSelector(`${error}()`);

/** The call of a function of the vault, as a transaction carries it. */
export const vaultCall = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi: vaultAbi, functionName, args } as never);

/** Ways to call a vault on a chain that makes a block for each transaction. */
export function vaultAt({ client }: Pick<TestChain, 'client'>, address: Hex) {
  async function send(from: Hex, data: Hex, { gas = 12_000_000n, value = 0n } = {}): Promise<VaultOutcome> {
    const params = [{ from, to: address, data, gas: numberToHex(gas), value: numberToHex(value) }];
    const receipt: Receipt = await client.request({ method: 'eth_sendTransactionSync', params } as never);
    return {
      succeeded: receipt.status === '0x1',
      gasUsed: BigInt(receipt.gasUsed),
      logs: receipt.logs.filter((log) => log.address === address).map(readLog),
    };
  }
  return {
    address,
    send,
    /** Calls as the admin, unless it says otherwise. */
    call: (functionName: string, args: unknown[], from: Hex = admin) =>
      send(from, vaultCall(functionName, ...args)),
    pay: (token: Hex, payouts: readonly TestPayout[], { from = signer, gas = 12_000_000n } = {}) =>
      send(from, vaultCall('pay', token, payouts), { gas }),
    read: async (functionName: string, ...args: unknown[]): Promise<unknown> =>
      await client.readContract({ address, abi: vaultAbi, functionName, args } as never),
    /** What `pay` would answer: for each payout the reason of its refusal, or ffffffff. */
    reasons: async (token: Hex, payouts: readonly TestPayout[], from: Hex = signer): Promise<Hex[]> => {
      const { data } = await client.call({
        account: from,
        to: address,
        data: vaultCall('pay', token, payouts),
      });
      return decodeFunctionResult({ abi: vaultAbi, functionName: 'pay', data } as never) as Hex[];
    },
  };
}
export type TestVault = ReturnType<typeof vaultAt>;

function readLog({ topics, data }: Receipt['logs'][number]): VaultLog {
  const { eventName, args } = decodeEventLog({ abi: vaultAbi, topics, data } as never) as {
    eventName: string;
    args: Omit<VaultLog, 'name'>;
  };
  return { ...args, name: eventName };
}

/** Deploys the vault of the admin, names the signer and sets its limits, in a token's units by the token's address. */
export async function deployVault(
  chain: TestChain,
  { by = admin, limits = {} }: { by?: Hex; limits?: Record<Hex, bigint> } = {},
): Promise<TestVault> {
  // Answered once it is mined, as all of a vault's transactions here.
  const deployment = { from: accounts.deployer.address, to: deployer, gas: '0x2dc6c0' };
  const data = `0x${'0'.repeat(64)}${vaultCode(by).slice(2)}`;
  await chain.client.request({
    method: 'eth_sendTransactionSync',
    params: [{ ...deployment, data }],
  } as never);
  const vault = vaultAt(chain, vaultAddress(by));
  if (by !== admin) return vault;
  await vault.call('setSigner', [signer]);
  for (const [token, limit] of Object.entries(limits)) await vault.call('setLimit', [token, limit]);
  return vault;
}
