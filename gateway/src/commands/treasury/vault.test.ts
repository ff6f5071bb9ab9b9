import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChain } from '../../../test/chain/chain.ts';
import { gasKeyFile } from '../../../test/chain/sweep-fixtures.ts';
import { admin, deployVault, vaultAt } from '../../../test/chain/vault-fixtures.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { checksummed } from '../../rails/evm/addresses/forwarders.ts';
import { vaultAddress } from '../../rails/evm/addresses/vault.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import { orderOfVault, showVaults, type VaultOrder } from './vault.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const usdc = chain.tokens['usdc-bep20']!;
const { file, address } = await gasKeyFile();

const directory = await testFolder();
const path = join(directory, 'florin.json');
const vault = { admin, signer: { key_file: file }, keep: { 'usdc-bep20': '5' } };
await writeFile(path, JSON.stringify({ chains: [chain.entry({ vault })] }));
const env = { CONFIG_FILE: path, DATA_DIR: directory };

/** What the admin is told to sign. */
async function ordered(order: VaultOrder): Promise<Hex> {
  const { output } = await printed(() => orderOfVault(env, order, {}));
  return /data {2}(0x[0-9a-f]+)/.exec(output)![1] as Hex;
}

test('the command shows what is to do until the vault is ready, and the calls that it prints do it', async () => {
  const show = async () => await printed(() => showVaults(env, { json: false }));
  expect(await show()).toMatchObject({ code: 1, output: expect.stringContaining('florin contracts deploy') });
  const vault = await deployVault(chain);
  const { output } = await show();
  for (const each of [
    'florin vault signer',
    'florin vault limits usdc-bep20=<amount>',
    'fund it: send usdc-bep20',
  ]) {
    expect(output).toContain(each);
  }
  await usdc.mint(vault.address, 5n * 10n ** 18n);
  await chain.client.setBalance({ address, value: 10n ** 18n });
  const orders: VaultOrder[] = [
    { kind: 'signer', address: null },
    { kind: 'limits', limits: ['usdc-bep20=2.5'] },
    { kind: 'pause' },
  ];
  for (const each of orders)
    expect(await vault.send(admin, await ordered(each))).toMatchObject({ succeeded: true });
  expect((await show()).output).toContain('florin vault resume');
  await vault.send(admin, await ordered({ kind: 'resume' }));
  const shown = await printed(() => showVaults(env, { json: true }));
  expect(shown.code).toBe(0);
  expect(JSON.parse(shown.output)).toEqual([
    {
      chain_id: chain.id,
      chain: 'Local',
      address: checksummed(vault.address),
      todo: [],
      deployed: true,
      admin: checksummed(admin),
      next_admin: null,
      signer: checksummed(address),
      gas: '1',
      paused: false,
      tokens: [{ asset: 'usdc-bep20', held: '5', daily_limit: '2.5', left_today: '2.5' }],
    },
  ]);
});

test('what the vault holds above what it is to keep is offered to be taken out', async () => {
  const vault = vaultAt(chain, vaultAddress(admin));
  const cold = checksummed(`0x${'c0'.repeat(20)}`);
  await usdc.mint(vault.address, 5n * 10n ** 17n);
  const show = () => printed(() => showVaults(env, { json: false }));
  expect(await show()).toMatchObject({
    code: 1,
    output: expect.stringContaining('florin vault take usdc-bep20=0.5 --to <cold wallet>'),
  });
  const take = { kind: 'take', amounts: ['usdc-bep20=0.5'], to: cold } as const;
  expect(await vault.send(admin, await ordered(take))).toMatchObject({ succeeded: true });
  expect(await usdc.balanceOf(cold as Hex)).toBe(5n * 10n ** 17n);
  expect((await show()).code).toBe(0);
  await expect(orderOfVault(env, { ...take, to: '0x12' }, {})).rejects.toThrow('0x12 is no address');
});

test('a vault whose admin alone pays out needs neither a signer nor limits', async () => {
  const path = join(directory, 'by-hand.json');
  await writeFile(path, JSON.stringify({ chains: [chain.entry({ vault: { admin } })] }));
  const { address: at } = await deployVault(chain);
  await usdc.mint(at, 1n);
  expect(await vaultAt(chain, at).call('setLimit', [usdc.address, 0n])).toMatchObject({ succeeded: true });
  const shown = () => printed(() => showVaults({ ...env, CONFIG_FILE: path }, { json: true }));
  expect(JSON.parse((await shown()).output)).toMatchObject([{ todo: [], tokens: [{ daily_limit: '0' }] }]);
  expect((await shown()).code).toBe(0);
});

test('a file for a Safe has the same calls; what is no limit is refused', async () => {
  const safe = join(directory, 'safe.json');
  const order: VaultOrder = { kind: 'limits', limits: ['usdc-bep20=7'] };
  await printed(() => orderOfVault(env, order, { safe }));
  expect(JSON.parse(await readFile(safe, 'utf8'))).toMatchObject({
    version: '1.0',
    chainId: `${chain.id}`,
    transactions: [{ value: '0', data: await ordered(order) }],
  });
  for (const limit of ['usdc-bep20', 'usdc-bep20=x', 'pi=1']) {
    await expect(orderOfVault(env, { kind: 'limits', limits: [limit] }, {})).rejects.toThrow(
      'as usdc-bep20=5000',
    );
  }
});
