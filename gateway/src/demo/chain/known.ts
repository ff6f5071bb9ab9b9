import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Mode } from '../../identity/integration.ts';

/** The demo chain of a mode: where it is kept, what it is called, and the assets that it has tokens of. */
export type DemoChainKind = { mode: Mode; folder: string; name: string; assets: readonly string[] };

/** The demo chains: one is paid on in live mode, and one is the test network of test mode. */
export const demoChains: Readonly<Record<Mode, DemoChainKind>> = {
  live: {
    ...{ mode: 'live', folder: 'chain', name: 'Florin demo chain' },
    assets: ['usdc-bep20', 'usdt-bep20', 'csk-bep20'],
  },
  test: {
    ...{ mode: 'test', folder: 'test-chain', name: 'Florin demo test chain' },
    assets: ['usdc-bsc-testnet', 'usdt-bsc-testnet'],
  },
};

/** Where a demo chain of an installation is kept. */
export function demoChainDirectory(dataDir: string, { folder } = demoChains.live): string {
  return join(dataDir, folder);
}

/** A token of the operator's own chains that a demo chain would have too. */
export function takenToken({ chains }: Config) {
  const codes = Object.values(demoChains).flatMap(({ assets }) => assets);
  return chains.flatMap(({ tokens }) => tokens).find(({ asset }) => codes.includes(asset));
}
