import type { Config } from '../../config/config.ts';
import { withDemoRates } from '../../config/demo-rates.ts';
import type { Asset } from '../../money/assets.ts';
import type { ChainConfig } from '../../rails/evm/config/chains.ts';
import { demoChainName, keptDemoChain } from './demo-chain.ts';
import { demoAssets, takenToken } from './known.ts';

/** The assets that the demo chain has a token of. */
export function assetsOfDemoChain(config: Config): Asset[] {
  return config.assets.all.filter(({ code }) => demoAssets.includes(code));
}

/** The configuration with the demo chain beside the operator's own; its assets are named after it, wherever they show. */
export function withDemoChain(config: Config, chain: ChainConfig): Config {
  const codes = chain.tokens.map(({ asset }) => asset);
  const all = config.assets.all.map((asset) =>
    codes.includes(asset.code) ? { ...asset, network: demoChainName } : asset,
  );
  return withDemoRates({ ...config, assets: { ...config.assets, all }, chains: [...config.chains, chain] });
}

/** The configuration with the demo chain that the installation has, if any: for commands beside a gateway. */
export async function withKeptDemoChain(config: Config): Promise<Config> {
  const chain = await keptDemoChain(config.dataDir, assetsOfDemoChain(config));
  if (!chain || takenToken(config)) return config;
  return withDemoChain(config, chain);
}
