import { setTimeout as sleep } from 'node:timers/promises';
import {
  createTestClient,
  encodeFunctionData,
  http,
  publicActions,
  TransactionReceiptNotFoundError,
  walletActions,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { type AnvilOptions, startAnvil } from '../../src/demo/chain/anvil.ts';
import testToken from '../../src/demo/chain/test-token.json' with { type: 'json' };
import { deployer, factoryBytecode } from '../../src/rails/evm/addresses/forwarders.ts';
import type { ChainConfig, ChainToken, Hex } from '../../src/rails/evm/config/chains.ts';
import { atFileEnd } from '../suite/endings.ts';

const mnemonic = 'test test test test test test test test test test test junk';
const account = (addressIndex: number) => mnemonicToAccount(mnemonic, { addressIndex });

/**
 * Rich accounts of every local chain: who deploys, who pays, where sweeps go, who pays for them, and whose the vault is.
 */
export const accounts = {
  deployer: account(0),
  payer: account(1),
  stranger: account(2),
  treasury: account(3),
  admin: account(4),
  signer: account(5),
  gas: account(6),
};
const receiptPollMs = 5;

export const treasury = accounts.treasury.address.toLowerCase() as Hex;

export type TestToken = ChainToken & {
  /** Makes units out of nothing. */
  mint(to: Hex, units: bigint): Promise<void>;
  /** The payer sends; the hash of the transaction, which is in a block if each one has its own. */
  send(to: Hex, units: bigint): Promise<Hex>;
  /** The payer sends to many in one transaction. */
  sendMany(payments: { to: Hex; units: bigint }[]): Promise<Hex>;
  balanceOf(owner: Hex): Promise<bigint>;
};

export type TestChain = Awaited<ReturnType<typeof startChain>>;

/**
 * A real chain of its own, with the factory deployed and one test token for each asset, of which the payer has
 * plenty. It makes a block for each transaction unless `blockSeconds` or `client.setAutomine` say otherwise, and
 * ends with the test file.
 */
export async function startChain({
  assets = { 'usdc-bep20': 18, 'usdt-bep20': 18, 'csk-bep20': 18 },
  withFactory = true,
  ...options
}: AnvilOptions & { assets?: Record<string, number>; withFactory?: boolean } = {}) {
  const id = options.chainId ?? 31337;
  const { rpcUrl, pid, stop } = await startAnvil({ chainId: id, slotsInAnEpoch: 1, mnemonic, ...options });
  atFileEnd(stop);
  const chain = {
    id,
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  };
  const client = createTestClient({
    mode: 'anvil',
    chain,
    transport: http(rpcUrl),
    pollingInterval: 20,
    // A block number that is 20 ms old may be of the block before.
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);

  async function transact(
    from: ReturnType<typeof account>,
    to: Hex | null,
    data: Hex,
    value = 0n,
    gas = 3_000_000n,
  ): Promise<Hex> {
    return await client.sendTransaction({ account: from, to, data, value, gas, chain });
  }
  /** viem waits by the numbers of new blocks, and for ever where it misses that of the last one. */
  async function mined(hash: Hex) {
    for (;;) {
      const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
        if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      });
      if (receipt) return receipt;
      await sleep(receiptPollMs);
    }
  }
  /** A block of its own follows its transaction, but after the answer to it. */
  async function settled(hash: Hex): Promise<Hex> {
    if (await client.getAutomine()) await mined(hash);
    return hash;
  }
  if (withFactory) {
    const data: Hex = `0x${'0'.repeat(64)}${factoryBytecode.slice(2)}`;
    await mined(await transact(accounts.deployer, deployer, data));
  }

  /** Deploys a contract and resolves with its lower-case address. */
  async function deploy(abi: readonly unknown[], bytecode: Hex, args: unknown[] = []): Promise<Hex> {
    const hash = await client.deployContract({
      account: accounts.deployer,
      abi: abi as never,
      bytecode,
      args: args as never,
      chain,
    });
    return (await mined(hash)).contractAddress!.toLowerCase() as Hex;
  }

  /** What tests do with a token that stands at an address. */
  function tokenAt({ asset, address, scale, symbol }: ChainToken, abi: readonly unknown[]): TestToken {
    const call = (from: ReturnType<typeof account>, functionName: string, args: unknown[]) =>
      transact(from, address, encodeFunctionData({ abi, functionName, args } as never));
    return {
      asset,
      address,
      scale,
      symbol,
      mint: async (to, units) => {
        await mined(await call(accounts.deployer, 'mint', [to, units]));
      },
      send: async (to, units) => settled(await call(accounts.payer, 'transfer', [to, units])),
      sendMany: async (payments) =>
        settled(
          await call(accounts.payer, 'transferToMany', [
            payments.map(({ to }) => to),
            payments.map(({ units }) => units),
          ]),
        ),
      balanceOf: (owner) =>
        client.readContract({
          address,
          abi,
          functionName: 'balanceOf',
          args: [owner],
        } as never) as Promise<bigint>,
    };
  }

  async function deployToken(asset: string, scale: number): Promise<TestToken> {
    const symbol = asset.split('-')[0]!.toUpperCase();
    const args = [`Test ${symbol}`, symbol, scale];
    const address = await deploy(testToken.abi, testToken.bytecode as Hex, args);
    const token = tokenAt({ asset, address, scale, symbol }, testToken.abi);
    await token.mint(accounts.payer.address, 10n ** BigInt(scale + 9));
    return token;
  }
  const tokens: Record<string, TestToken> = {};
  for (const [asset, scale] of Object.entries(assets)) tokens[asset] = await deployToken(asset, scale);

  return {
    id,
    rpcUrl,
    pid,
    client,
    tokens,
    deploy,
    tokenAt,
    transact,
    mined,
    mine: (blocks = 1) => client.mine({ blocks }),
    /** Ends it before the test file does. */
    stop,
    /** The gateway's configuration of this chain. */
    config: (changes: Partial<ChainConfig> = {}): ChainConfig => ({
      ...configOf(id, rpcUrl, tokens),
      ...changes,
    }),
    /** The same as an entry of the configuration file. */
    entry: (changes: object = {}) => ({
      id,
      name: 'Local',
      rpc: [rpcUrl],
      finality: 'finalized',
      confirmations: 3,
      block_seconds: 1,
      start_block: 0,
      treasury,
      tokens: Object.fromEntries(Object.values(tokens).map(({ asset, address }) => [asset, address])),
      ...changes,
    }),
  };
}

function configOf(id: number, rpcUrl: string, tokens: Record<string, TestToken>): ChainConfig {
  return {
    id,
    name: 'Local',
    rpcUrls: [rpcUrl],
    finality: 'finalized',
    confirmations: 3,
    blockSeconds: 1,
    startBlock: 0,
    receiving: { kind: 'forwarder', treasury },
    tokens: Object.values(tokens).map(({ asset, address, scale, symbol }) => ({
      asset,
      address,
      scale,
      symbol,
    })),
    nativeSymbol: 'ETH',
    nativeUsd: null,
    publicRpcUrl: null,
    explorer: null,
    sweep: { gasKeyFile: null, everySeconds: 3600, worth: 20, maxGasPriceGwei: 200 },
    vault: null,
    paysByHand: false,
  };
}
