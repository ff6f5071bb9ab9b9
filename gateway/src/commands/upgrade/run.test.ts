import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { type UpgradeState, writeUpgrade } from '../../operations/upgrading/state.ts';
import { checkOther, upgrade, wayOfThisInstallation } from './run.ts';

const folder = await testFolder();
const env = { DATA_DIR: join(folder, 'data') };
await mkdir(env.DATA_DIR);
const clone = join(import.meta.dirname, '../../../..');

test.each([
  [clone, 'In a clone: make a backup'],
  ['/srv/shop/node_modules/florin', 'With npm: make a backup'],
  ['/opt/florin-0.5.0', 'unpack the new release beside this one'],
])('an installation that is no Debian package is told what to do, as in %s', (program, way) => {
  const told = wayOfThisInstallation(program);
  // Where the tests run in a container or a cluster, that is what counts.
  expect(told).toMatch(
    new RegExp(`^This command upgrades the Debian package\\. .*(?:${way}|In a (?:container|cluster):)`),
  );
});

test('another kind of installation is not touched', async () => {
  const words = { file: 'florin_9.9.9_amd64.deb', skipCheck: false, left: null };
  await expect(upgrade(env, words)).rejects.toThrow('This command upgrades the Debian package.');
});

test('a file that is no program of Florin, or not there, is not tried', async () => {
  const check = (file: string) => checkOther(env, { file, json: false });
  await expect(check(folder)).rejects.toThrow(`There is no program of Florin in ${folder}`);
  await expect(check(join(folder, 'none.deb'))).rejects.toThrow('There is no file');
  const left: UpgradeState = { step: 'trying', backBecause: null, from: '1', to: '2', pid: 1 };
  await writeUpgrade(env.DATA_DIR, left);
  await expect(check(folder)).rejects.toThrow('An upgrade is under way');
});
