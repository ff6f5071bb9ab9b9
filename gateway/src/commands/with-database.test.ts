import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../../test/support/api.ts';
import { printed } from '../../test/support/commands-fixtures.ts';
import { makeDataDir, removeDataDir } from '../../test/support/data-dir.ts';
import { type GatewayProcess, spawnGateway } from '../../test/support/gateway-process.ts';
import { connectEmbedded } from '../kit/postgres/embedded-postgres.ts';
import { makeIntegration, setIntegrationApproval } from './integrations.ts';
import { makeUser } from './people/users.ts';

let dataDir: string;
let env: Record<string, string>;
let gateway: GatewayProcess | undefined;

beforeAll(async () => {
  dataDir = await makeDataDir();
  env = { DATA_DIR: dataDir };
});
afterAll(async () => {
  await gateway?.end('SIGTERM');
  await removeDataDir(dataDir);
});

// One data directory from its first use on, in the order of these tests.
test('a command on a new data directory makes its database, and leaves nothing running', async () => {
  expect((await printed(() => makeUser(env, 'ada'))).code).toBe(0);
  expect(await connectEmbedded(dataDir)).toBeNull();
});

test('commands beside a running gateway use its database, and take effect in it at once', async () => {
  gateway = await spawnGateway({ ...env, DEMO: '0' });
  await gateway.ready;
  const { output } = await printed(() => makeIntegration(env, 'Corner shop'));
  const made = JSON.parse(output) as { integration_id: string; live_secret_key: string };
  const api = createApi(gateway.url, made.live_secret_key);
  const body = { amount: 5, currency: 'USDT', payment_type: 'deposit' };
  const create = async () => (await api('PUT', '/payment/create', { body })).status;

  expect(await create()).toBe(403);
  await printed(() => setIntegrationApproval(env, made.integration_id, 'approved'));
  expect(await create()).toBe(200);
  await printed(() => setIntegrationApproval(env, made.integration_id, 'suspended'));
  expect(await create()).toBe(403);
  await expect(makeUser(env, 'ada')).rejects.toThrow('there is a user ada already');
});

test('the gateway uses the database after a command, and a command after the gateway', async () => {
  expect((await fetch(`${gateway!.url}/ready`)).status).toBe(200);
  expect(await gateway!.end('SIGTERM')).toBe(0);
  gateway = undefined;
  await expect(makeUser(env, 'ada')).rejects.toThrow('there is a user ada already');
  expect(await connectEmbedded(dataDir)).toBeNull();
});
