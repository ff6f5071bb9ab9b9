import type { Config } from '../../config/config.ts';
import { withDemoRates } from '../../config/demo-rates.ts';
import type { Asset } from '../../money/assets.ts';
import type { ChainConfig } from '../../rails/evm/config/chains.ts';
import { keptDemoChain } from './demo-chain.ts';
import { type DemoChainKind, demoChains, takenToken } from './known.ts';

/** The assets that a demo chain has a token of. */
export function assetsOfDemoChain({ assets: { all, former } }: Config, kind = demoChains.live): Asset[] {
  return [...all, ...former].filter(({ code }) => kind.assets.includes(code));
}

/** The configuration with a demo chain beside the operator's own; its assets are named after it, wherever they show. */
export function withDemoChain(
  config: Config,
  chain: ChainConfig,
  kind: DemoChainKind = demoChains.live,
): Config {
  const codes = chain.tokens.map(({ asset }) => asset);
  const isTaken = ({ code }: Asset) => codes.includes(code);
  const named = (asset: Asset) => (isTaken(asset) ? { ...asset, network: kind.name } : asset);
  const { all, former } = config.assets;
  const assets = {
    ...config.assets,
    all: [...all, ...former.filter(isTaken)].map(named),
    former: former.filter((asset) => !isTaken(asset)),
  };
  return withDemoRates({ ...config, assets, chains: [...config.chains, chain] });
}

/** The configuration with the demo chains that the installation has, if any: for commands beside a gateway. */
export async function withKeptDemoChain(config: Config): Promise<Config> {
  if (takenToken(config)) return config;
  let joined = config;
  for (const kind of Object.values(demoChains)) {
    const chain = await keptDemoChain(config.dataDir, assetsOfDemoChain(config, kind), kind);
    if (chain) joined = withDemoChain(joined, chain, kind);
  }
  return joined;
}
