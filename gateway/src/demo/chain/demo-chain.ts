import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Asset } from '../../money/assets.ts';
import type { ChainConfig, Hex } from '../../rails/evm/config/chains.ts';
import { type AnvilOptions, type LocalChain, startAnvil } from './anvil.ts';
import { finalDepth, keepBlocks, keepState } from './blocks.ts';
import { deployContracts, deploySplitters, fill, openMint, type Purse } from './coins.ts';
import { type DemoChainKind, demoChainDirectory, demoChains } from './known.ts';
import { anyPort, untilFree } from './port.ts';
import {
  addressOf,
  type ChainRecord,
  freshChainId,
  freshKeys,
  type KeptRecord,
  readRecord,
  writeRecord,
} from './record.ts';
import { createLocalRpc, type LocalRpc } from './rpc.ts';
import { furnishVault } from './vault.ts';

/** A chain of this installation's own, whose coins are worth nothing. */
export type DemoChain = {
  config: ChainConfig;
  record: ChainRecord;
  rpcUrl: string;
  /** Sends coins to an address. */
  faucet(address: Hex): Promise<void>;
  /** Settles when the chain ends, for whatever reason. */
  exited: Promise<void>;
  /** Saves the state of the chain, and ends it. */
  stop(): Promise<void>;
};

export type DemoChainOptions = {
  dataDir: string;
  /** Null: the port of the last time; the first time any free one. */
  port: number | null;
  /** The assets that it has a token of. */
  assets: readonly Asset[];
  /** Which one; the one of live mode when left out. */
  kind?: DemoChainKind;
  log: Logger;
};

const usualPorts = { live: 4200, test: 4201 };
/** How long the chain of a gateway that was killed may take to end. */
const predecessorMs = 5_000;
const nativeSymbol = 'DEMO';
const payerPurse = { native: 10_000n, amount: 1_000_000n };
const gasPurse = { native: 1_000n, amount: 0n };
const vaultPurse = { native: 0n, amount: 10_000n };
/** The vault's daily limit for each token: more than it holds at first, so that a demo does not run into it. */
const vaultLimit = 1_000_000n;
const faucetPurse = { native: 1n, amount: 1_000n };

/**
 * Starts the demo chain of an installation in the state in which it was stopped or killed: with the same blocks,
 * balances and keys. Without its files a new one is made, with another chain id.
 */
export async function startDemoChain(options: DemoChainOptions): Promise<DemoChain> {
  const { dataDir, kind = demoChains.live } = options;
  const files = filesOf(dataDir, kind);
  await mkdir(demoChainDirectory(dataDir, kind), { recursive: true, mode: 0o700 });
  const earlier = existsSync(files.state) ? await readRecord(files.record) : null;
  const { port, chainId } = await placeOf(options, earlier);
  const chain = await launch({
    ...{ chainId, port, stateFile: earlier ? files.state : undefined },
    onLate: () => options.log.info('a demo chain is late: the start waits for it'),
  });
  try {
    const rpc = createLocalRpc(chain.rpcUrl);
    await openMint(rpc);
    const made = await furnish(rpc, options.assets, earlier);
    // The chain has no states of blocks before its start: with new blocks the final block has one again.
    await rpc('anvil_mine', [`0x${finalDepth.toString(16)}`]);
    await keepState(rpc, files.state);
    const record = { chain_id: chainId, port, ...made };
    await writeFile(files.gasKey, `${record.keys.gas}\n`, { mode: 0o600 });
    await writeFile(files.treasuryKey, `${record.keys.treasury}\n`, { mode: 0o600 });
    await writeFile(files.vaultKey, `${record.keys.signer}\n`, { mode: 0o600 });
    await writeRecord(files.record, record);
    return running({ chain, rpc, record, files }, options);
  } catch (error) {
    await chain.stop();
    throw error;
  }
}

/** A demo chain that an installation has made, whether it runs now or not; null where there is none. */
export async function keptDemoChain(
  dataDir: string,
  assets: readonly Asset[],
  kind: DemoChainKind,
): Promise<ChainConfig | null> {
  const files = filesOf(dataDir, kind);
  const record = await readRecord(files.record);
  return record && configOf({ record, rpcUrl: `http://127.0.0.1:${record.port}`, files, assets, kind });
}

function filesOf(dataDir: string, kind: DemoChainKind) {
  const directory = demoChainDirectory(dataDir, kind);
  return {
    record: join(directory, 'chain.json'),
    state: join(directory, 'state.json'),
    gasKey: join(directory, 'gas.key'),
    vaultKey: join(directory, 'vault.key'),
    treasuryKey: join(directory, 'treasury.key'),
  };
}

async function placeOf({ port, kind = demoChains.live }: DemoChainOptions, earlier: KeptRecord | null) {
  const chainId = earlier?.chain_id ?? freshChainId();
  // No setting names its port.
  if (kind.mode === 'test') return { port: await anyPort(earlier?.port ?? usualPorts.test), chainId };
  const place = { port: port ?? earlier?.port ?? (await anyPort(usualPorts.live)) };
  await untilFree(place.port, predecessorMs, { name: 'the demo chain', setting: 'CHAIN_PORT' });
  return { ...place, chainId };
}

async function launch(options: AnvilOptions): Promise<LocalChain> {
  return await startAnvil({ onDemand: true, slotsInAnEpoch: 1, accounts: 0, keptStates: 256, ...options });
}

/** A chain's contracts, and keys with coins: what an earlier version did not make is added. */
async function furnish(
  rpc: LocalRpc,
  assets: readonly Asset[],
  earlier: KeptRecord | null,
): Promise<Pick<ChainRecord, 'tokens' | 'vault' | 'keys'>> {
  const tokens = earlier?.tokens ?? (await deployContracts(rpc, assets));
  await deploySplitters(rpc);
  const keys = { ...freshKeys(), ...earlier?.keys };
  if (!earlier) {
    await fill(rpc, addressOf(keys.payer), purseOf(payerPurse, tokens, assets));
    await fill(rpc, addressOf(keys.gas), purseOf(gasPurse, {}, assets));
  }
  if (earlier?.vault) return { tokens, vault: earlier.vault, keys };
  await fill(rpc, addressOf(keys.signer), purseOf(gasPurse, {}, assets));
  const vault = await furnishVault(rpc, {
    admin: addressOf(keys.admin),
    signer: addressOf(keys.signer),
    purse: purseOf(vaultPurse, tokens, assets),
    limits: purseOf({ native: 0n, amount: vaultLimit }, tokens, assets).tokens,
  });
  return { tokens, vault, keys };
}

function purseOf(
  { native, amount }: { native: bigint; amount: bigint },
  tokens: Record<string, Hex>,
  assets: readonly Asset[],
): Purse {
  const held = assets.flatMap(({ code, scale }) => {
    const address = tokens[code];
    return address ? [{ address, scale, amount }] : [];
  });
  return { native, tokens: held };
}

type Started = { chain: LocalChain; rpc: LocalRpc; record: ChainRecord; files: ReturnType<typeof filesOf> };

function running(
  { chain, rpc, record, files }: Started,
  { assets, log, kind = demoChains.live }: DemoChainOptions,
): DemoChain {
  const blocks = keepBlocks(rpc, files.state, log);
  const purse = purseOf(faucetPurse, record.tokens, assets);
  let giving: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | undefined;
  return {
    config: configOf({ record, rpcUrl: chain.rpcUrl, files, assets, kind }),
    record,
    rpcUrl: chain.rpcUrl,
    async faucet(address) {
      // One after the other, because of the mint's nonces.
      const given = giving.then(() => fill(rpc, address, purse));
      giving = given.catch(() => {});
      await given;
    },
    exited: chain.exited,
    stop() {
      stopped ??= blocks.stop().finally(() => chain.stop());
      return stopped;
    },
  };
}

type Kept = {
  record: ChainRecord | KeptRecord;
  rpcUrl: string;
  files: ReturnType<typeof filesOf>;
  assets: readonly Asset[];
  kind: DemoChainKind;
};

function configOf({ record, rpcUrl, files, assets, kind }: Kept): ChainConfig {
  const { chain_id, tokens, vault, keys } = record;
  const { gasKey, vaultKey, treasuryKey } = files;
  return {
    id: chain_id,
    name: kind.name,
    ...(kind.mode === 'test' ? { isTest: true } : {}),
    rpcUrls: [rpcUrl],
    finality: 'finalized',
    confirmations: finalDepth + 1,
    blockSeconds: 1,
    startBlock: 0,
    receiving: { kind: 'forwarder', treasury: addressOf(keys.treasury) },
    ...(keys.host ? { feeAddress: addressOf(keys.host) } : {}),
    tokens: assets.flatMap(({ code, scale, currency }) => {
      const address = tokens[code];
      return address ? [{ asset: code, address, scale, symbol: currency }] : [];
    }),
    nativeSymbol,
    nativeUsd: '1',
    publicRpcUrl: rpcUrl,
    explorer: null,
    faucet: true,
    treasuryKeyFile: treasuryKey,
    sweep: { gasKeyFile: gasKey, everySeconds: 5, worth: 20, maxGasPriceGwei: 200 },
    // A chain that an older version made gets a vault at its next start.
    paysByHand: false,
    vault:
      vault && keys.admin
        ? {
            address: vault,
            admin: addressOf(keys.admin),
            signer: { by: { kind: 'file', keyFile: vaultKey }, address: null },
            keep: new Map(),
          }
        : null,
  };
}
