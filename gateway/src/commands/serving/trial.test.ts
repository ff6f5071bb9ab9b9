import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { databaseEnv, testDatabase } from '../../../test/support/database.ts';
import { spawnGateway } from '../../../test/support/gateway-process.ts';
import { endUpgrade, type UpgradeState, writeUpgrade } from '../../operations/upgrading/state.ts';

const database = await testDatabase();
const folder = await testFolder();
const dataDir = join(folder, 'data');
const env = { ...databaseEnv(database), DATA_DIR: dataDir, MASTER_KEY_FILE: join(folder, 'master.key') };
const upgrade: UpgradeState = { step: 'trying', backBecause: null, from: '0.5.0', to: '0.6.0', pid: 1 };

test('a gateway that an upgrade tries says that it is ready, and takes no other request', async () => {
  await writeUpgrade(dataDir, upgrade);
  const gateway = await spawnGateway(env);
  try {
    const url = new URL('/ready', gateway.url);
    await expect
      .poll(
        () =>
          fetch(url).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 120_000 },
      )
      .toBe(200);
    for (const path of ['/', '/pay/x', '/app', '/payment/create', '/health/']) {
      const answer = await fetch(`${gateway.url}${path}`);
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1']);
    }
    await expect.poll(() => gateway.output()).toBe('Florin is tried, and takes no request.\n');
  } finally {
    expect(await gateway.end('SIGTERM')).toBe(0);
  }
});

test('a gateway does not start while an upgrade was cut off between two versions, and says what to do', async () => {
  await writeUpgrade(dataDir, { ...upgrade, step: 'installing' });
  const gateway = await spawnGateway(env);
  expect(await gateway.exitCode).toBe(1);
  expect(gateway.errors()).toContain(
    'Florin cannot start: The upgrade from 0.5.0 to 0.6.0 is not done. florin upgrade --resume goes on with it, florin upgrade --back goes back.',
  );
  await endUpgrade(dataDir);
});
