import { join } from 'node:path';
import type { Config } from '../../config/config.ts';

/** The assets that the demo chain has tokens of. */
export const demoAssets = ['usdc-bep20', 'usdt-bep20', 'csk-bep20'];

/** Where the demo chain of an installation is kept. */
export function demoChainDirectory(dataDir: string): string {
  return join(dataDir, 'chain');
}

/** A token of the operator's own chains that the demo chain would have too. */
export function takenToken({ chains }: Config) {
  return chains.flatMap(({ tokens }) => tokens).find(({ asset }) => demoAssets.includes(asset));
}
