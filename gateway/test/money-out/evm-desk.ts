import { encodeFunctionData, parseAbi } from 'viem';
import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { accounts } from '../chain/chain.ts';
import type { ChainTransaction } from '../chain/driver.ts';
import { admin, vaultCall } from '../chain/vault-fixtures.ts';
import type { EvmStep } from './evm-steps.ts';
import type { EvmWorld } from './evm-world.ts';

// What the admin of the vault, the operator and somebody else with the signer's key do.

export type EvmDesk = ReturnType<typeof createEvmDesk>;

const dollar = 10n ** 18n;
const little = 3n * dollar;
const unlimited = 2n ** 111n;
/** So much is put into the vault at a time. */
const funds = 1_000n * dollar;
const gwei = 1_000_000_000n;
const stranger = accounts.stranger.address.toLowerCase() as Hex;
const mintAbi = parseAbi(['function mint(address to, uint256 value)']);

export function createEvmDesk({ driver, vault, tokens, signer, sweeper }: EvmWorld, swept: Hex) {
  const all = Object.values(tokens);
  const byAdmin = (functionName: string, ...args: unknown[]): ChainTransaction => ({
    ...{ do: 'call', from: admin, to: vault },
    data: vaultCall(functionName, ...args),
  });
  const limits = (units: bigint) => all.map((token) => byAdmin('setLimit', token, units));
  /** The operator brings money in: from the treasury where there is one, else from outside. */
  const fund = (): ChainTransaction[] =>
    all.map((token) =>
      swept === vault
        ? {
            ...{ do: 'call', from: stranger, to: token },
            data: encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [vault, funds] }),
          }
        : { do: 'transfer', payer: 2, token, to: vault, units: funds },
    );
  async function drain(): Promise<ChainTransaction[]> {
    const held: ChainTransaction[] = [];
    for (const token of all) {
      const units = await driver.balanceOf(token, vault);
      if (units > 0n) held.push(byAdmin('take', token, stranger, units));
    }
    return held;
  }
  const settings: Record<Extract<EvmStep, { do: 'vault' }>['is'], () => Promise<ChainTransaction[]>> = {
    paused: async () => [byAdmin('setPaused', true)],
    open: async () => [byAdmin('setPaused', false)],
    little: async () => limits(little),
    unlimited: async () => limits(unlimited),
    drained: drain,
    funded: async () => fund(),
    "another's": async () => [byAdmin('setSigner', stranger)],
    ours: async () => [byAdmin('setSigner', signer.address)],
  };
  const setBalance = (address: Hex, units: bigint) =>
    driver.rpc('anvil_setBalance', [address, `0x${units.toString(16)}`]);
  const baseFee = async (price: number): Promise<void> => {
    await driver.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${(BigInt(price) * gwei).toString(16)}`]);
  };

  const barAbi = parseAbi(['function bar(address owner, bool barred)']);
  const barred = new Set<Hex>();
  const bar = (receiver: Hex, is: boolean): ChainTransaction => ({
    ...{ do: 'call', from: stranger, to: tokens['usdt-bep20'], isFirst: true },
    data: encodeFunctionData({ abi: barAbi, functionName: 'bar', args: [receiver, is] }),
  });

  return {
    /** A token refuses to pay this receiver from the next block on. */
    async bar(receiver: Hex): Promise<void> {
      barred.add(receiver);
      await driver.block([bar(receiver, true)]);
    },
    async unbar(): Promise<void> {
      // A reorg may have taken what barred or freed them.
      await driver.block([...barred].map((receiver) => bar(receiver, false)));
    },
    set: async (is: keyof typeof settings): Promise<void> => await driver.block(await settings[is]()),
    async gas(is: 'empty' | 'full'): Promise<void> {
      await setBalance(signer.address, is === 'empty' ? 1_000n : 10n ** 18n);
    },
    baseFee,
    async useNonce(): Promise<void> {
      const nonce = BigInt(await driver.rpc<Hex>('eth_getTransactionCount', [signer.address, 'latest']));
      const call = { chainId: 31337, type: 'eip1559', nonce: Number(nonce), to: signer.address } as const;
      const offer = { gas: 21_000n, maxFeePerGas: 400n * gwei, maxPriorityFeePerGas: 100n * gwei };
      const signed = await signer.account.signTransaction({ ...call, ...offer, value: 0n });
      // Without coins, or where the gateway offers as much, the node does not take it.
      await driver.rpc('eth_sendRawTransaction', [signed]).catch(() => {});
      await driver.mine(1);
    },
    /** All that is needed to pay what is ordered. */
    async provide(): Promise<void> {
      for (const { address } of [signer, sweeper]) await setBalance(address, 10n ** 20n);
      await baseFee(1);
      const [open, ours] = [await settings.open(), await settings.ours()];
      const isPoor = (await driver.balanceOf(all[0] ?? '0x', vault)) < funds;
      const freed = [...barred].map((receiver) => bar(receiver, false));
      await driver.block([...open, ...ours, ...limits(unlimited), ...freed, ...(isPoor ? fund() : [])]);
    },
  };
}
