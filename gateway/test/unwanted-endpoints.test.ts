// An endpoint cannot be set to what no webhook may reach, and gets nothing when its name comes to lead there.
import { afterAll, expect, test } from 'vitest';
import { createApi } from './support/api.ts';
import { startApp } from './support/running.ts';
import { oddAddresses, privateHosts, privateNames } from './webhooks/private-addresses.ts';
import { openTrap } from './webhooks/trap.ts';

const make = (url: string) => app.api<{ id: string }>('POST', '/webhook-endpoints', { body: { url } });
const trap = await openTrap();
// On every address of the machine, since others than it reach most gateways.
const app = await startApp({ env: { HOST: '0.0.0.0' }, seed: { allowPrivateWebhooks: false } });
const good = (await make('https://example.com/hook')).body.data.id;

afterAll(() => trap.close());

const outside = {
  status: 400,
  message: expect.stringMatching(
    /^url is invalid: must lead to the public internet\. For a server on this computer run `npx florin listen --forward-to [^`]+`$/,
  ),
};
const told = ({ status, body }: Awaited<ReturnType<typeof make>>) => ({ status, message: body.message });

const groups = Object.entries(privateHosts).map(([of, hosts]) => ({ of, hosts }));

test.each(groups)('an endpoint cannot be set to $of', async ({ hosts }) => {
  for (const host of hosts) {
    for (const url of [`http://${host}:${trap.port}/`, `https://${host}/hook`]) {
      expect({ url, ...told(await make(url)) }).toEqual({ url, ...outside });
    }
  }
});

test('an endpoint cannot be set to a name that is of a private network by its form', async () => {
  for (const name of privateNames) {
    const url = `https://${name}/hook`;
    expect({ url, ...told(await make(url)) }).toEqual({ url, ...outside });
  }
});

test.each(oddAddresses)('an endpoint cannot be set to %s', async (url) => {
  const { status, body } = await make(url);
  expect(status).toBe(400);
  expect(body.message).toMatch(/^url is invalid: /);
});

test('an endpoint cannot be moved to any of them either', async () => {
  for (const url of [
    'http://127.0.0.1/',
    'http://0xa9fea9fe/',
    'https://metadata/',
    'http://a@example.com/',
  ]) {
    expect((await app.api('PATCH', `/webhook-endpoints/${good}`, { body: { url } })).status).toBe(400);
  }
  const { body } = await app.api<{ url: string }>('GET', `/webhook-endpoints/${good}`);
  expect(body.data.url).toBe('https://example.com/hook');
});

test('an endpoint whose name came to lead there gets nothing, and its log says why and not where', async () => {
  type Deliveries = { items: { attempts: { error: string; status_code: number | null }[] }[] };
  await app.db.query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [
    good,
    `http://localhost:${trap.port}/`,
  ]);
  await app.api('POST', `/webhook-endpoints/${good}/test`, { body: {} });
  const attempts = async () =>
    (await app.api<Deliveries>('GET', `/webhook-endpoints/${good}/deliveries`)).body.data.items[0]?.attempts;
  await expect
    .poll(attempts)
    .toMatchObject([
      { status_code: null, error: 'localhost leads to an address that is not on the public internet' },
    ]);
  expect(trap.connections).toBe(0);
});

test('a gateway that only its own machine reaches sends to that machine in test mode, and to no other private address', async () => {
  const local = await startApp({ seed: { allowPrivateWebhooks: false, approved: true } });
  const body = { url: `http://localhost:${trap.port}/own` };
  const before = trap.connections;
  const made = await local.api<{ id: string }>('POST', '/webhook-endpoints', { body });
  expect(made.status).toBe(200);
  await local.api('POST', `/webhook-endpoints/${made.body.data.id}/test`, { body: {} });
  await expect.poll(() => trap.connections).toBeGreaterThan(before);
  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', 'http://postgres:5432/']) {
    expect(await local.api('POST', '/webhook-endpoints', { body: { url } })).toMatchObject({ status: 400 });
  }
  const live = createApi(local.baseUrl, local.liveSecretKey);
  expect(told(await live('POST', '/webhook-endpoints', { body }))).toEqual(outside);
});

test('behind a proxy it does not, whatever its own address is', async () => {
  const proxied = await startApp({ env: { TRUST_PROXY: '1' }, seed: { allowPrivateWebhooks: false } });
  const body = { url: `http://localhost:${trap.port}/own` };
  expect(told(await proxied.api('POST', '/webhook-endpoints', { body }))).toEqual(outside);
});
