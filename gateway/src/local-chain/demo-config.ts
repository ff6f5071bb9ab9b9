import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config.ts';
import type { Asset } from '../kit/assets.ts';
import type { ChainConfig } from '../rails/evm/chains.ts';
import { chainPresets } from '../rails/evm/presets.ts';
import { demoChainDirectory, demoChainName, keptDemoChain } from './demo-chain.ts';

const demoAssets = ['usdc-bep20', 'usdt-bep20', 'csk-bep20'];

/** The assets that the demo chain has a token of. */
export function assetsOfDemoChain(config: Config): Asset[] {
  return config.assets.all.filter(({ code }) => demoAssets.includes(code));
}

/**
 * Throws `ConfigError` where coins that are worth nothing could pay for what real ones are asked for: beside a public
 * chain, on an installation that has or had a demo chain, or without the demo's own integration.
 */
export function assertKeptApart(config: Config, withDemoChain: boolean): void {
  const publicChain = config.chains.find(({ id }) => chainPresets[id]);
  const faults: string[] = [];
  if (publicChain && (withDemoChain || existsSync(demoChainDirectory(config.dataDir)))) {
    faults.push(
      `CONFIG_FILE has the public chain ${publicChain.name}, and this installation has a demo chain, whose coins are worth nothing and would count as live money: give one of them a DATA_DIR and a database of its own`,
    );
  }
  if (withDemoChain) {
    if (config.demo === 'never') faults.push('--chain goes with the demo: DEMO must be 1');
    const taken = takenToken(config);
    if (taken) faults.push(`CONFIG_FILE has a token of ${taken.asset}, which --chain has as well`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

/** A token of the operator's own chains that the demo chain would have as well. */
function takenToken({ chains }: Config) {
  return chains.flatMap(({ tokens }) => tokens).find(({ asset }) => demoAssets.includes(asset));
}

/** The configuration with the demo chain beside the operator's own; its assets are named after it, wherever they show. */
export function withDemoChain(config: Config, chain: ChainConfig): Config {
  const codes = chain.tokens.map(({ asset }) => asset);
  const all = config.assets.all.map((asset) =>
    codes.includes(asset.code) ? { ...asset, network: demoChainName } : asset,
  );
  return { ...config, assets: { ...config.assets, all }, chains: [...config.chains, chain] };
}

/** The configuration with the demo chain that the installation has, if any: for commands beside a gateway. */
export async function withKeptDemoChain(config: Config): Promise<Config> {
  const chain = await keptDemoChain(config.dataDir, assetsOfDemoChain(config));
  if (!chain || takenToken(config)) return config;
  return withDemoChain(config, chain);
}
