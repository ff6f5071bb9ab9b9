import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { ChainConfig } from '../../rails/evm/config/chains.ts';
import { assetsOfDemoChain, withDemoChain } from './demo-config.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-test-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const treasury = '0x00000000000000000000000000000000000000aa';
const token = '0x00000000000000000000000000000000000000bb';
const own = { id: 31337, name: 'Ours', rpc: ['http://127.0.0.1:9'], treasury };

async function configOf(chains: object[], env: Record<string, string> = {}) {
  const file = join(dataDir, 'florin.json');
  await writeFile(file, JSON.stringify({ chains }));
  return readConfig({ DATA_DIR: dataDir, CONFIG_FILE: file, ...env });
}

describe('the demo chain in the configuration', () => {
  test('stands beside chains of the operator, and its assets are named after it wherever they show', async () => {
    const config = await configOf([{ ...own, tokens: { 'usdc-base': token } }]);
    const [asset] = assetsOfDemoChain(config);
    const demo = { id: 1, tokens: [{ asset: asset!.code, address: token, scale: 18, symbol: null }] };
    const joined = withDemoChain(config, demo as unknown as ChainConfig);
    expect(joined.chains.map(({ id }) => id)).toEqual([31337, 1]);
    const networkOf = (code: string) => joined.assets.all.find((each) => each.code === code)?.network;
    expect(networkOf(asset!.code)).toBe('Florin demo chain');
    expect(networkOf('usdc-base')).toBe('Base');
  });
});
