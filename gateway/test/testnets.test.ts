import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StateJson } from '../src/checkout/state-json.ts';
import { readConfig } from '../src/config/config.ts';
import { createAssets } from '../src/money/assets.ts';
import type { Hex } from '../src/rails/evm/config/chains.ts';
import { createEndpoints } from '../src/rails/evm/rpc/endpoints.ts';
import { createReserveWatch } from '../src/treasury/reserves/reports.ts';
import { readReserves } from '../src/treasury/reserves/reserves.ts';
import { accounts, startChain } from './chain/chain.ts';
import { type CreatedPayment, readPage, submitForm } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { testFolder } from './support/data-dir.ts';
import { silentLog } from './support/fixtures.ts';
import { restrictedKey } from './support/keys.ts';
import { auditFindings } from './support/payment-fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';
import { openReceiver } from './webhooks/receiver.ts';

// A chain of live mode and one of test mode beside each other: what is paid on one never counts on the other.

const asset = 'usdc-local-test';
const soon = { timeout: 120_000, interval: 100 };

const file = join(await testFolder(), 'config.json');
const live = await startChain({ assets: { 'usdc-bep20': 18 } });
const testnet = await startChain({ chainId: 31338, assets: { [asset]: 6 } });
const app = await started();

async function started(): Promise<RunningApp> {
  const entry = testnet.entry({ name: 'Local test', test: true, treasury: accounts.gas.address });
  const assets = [{ code: asset, currency: 'USDC', scale: 6, network: 'Local test', test: true }];
  await writeFile(file, JSON.stringify({ assets, chains: [live.entry(), entry] }));
  const opened = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
  const verified = 'SELECT FROM evm_chains WHERE verified_at IS NOT NULL AND final_number IS NOT NULL';
  await vi.waitFor(async () => expect((await opened.db.query(verified)).rowCount).toBe(2), soon);
  return opened;
}

async function create(key = app.secretKey): Promise<{ reference: string; url: string }> {
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
  const { body: answer } = await app.api<CreatedPayment>('PUT', '/payment/create', { key, body });
  return { reference: answer.data.PaymentData.payment_reference, url: answer.data.PaymentURL };
}

const stateOf = async (url: string) => (await (await fetch(url.replace('?', '/state?'))).json()) as StateJson;

/** Where the page says to send an asset's money, once it was chosen. */
async function choose(url: string, chosen = asset): Promise<Hex> {
  await submitForm(url, 'method', { asset: chosen });
  const [place] = (await stateOf(url)).destinations;
  return place!.address as Hex;
}

async function becomes(url: string, status: string): Promise<void> {
  await vi.waitFor(async () => {
    await Promise.all([live.mine(2), testnet.mine(2)]);
    expect((await stateOf(url)).payment_status).toBe(status);
  }, soon);
}

/** The sums of the accounts of a mode that stand for networks, by owner and asset. */
async function outside(mode: 'live' | 'test'): Promise<Record<string, bigint>> {
  const { rows } = await app.db.query<{ name: string; units: bigint }>(
    `SELECT a.owner || ' ' || a.asset AS name, sum(e.units) AS units
     FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind = 'external' AND a.owner LIKE 'evm:%' AND a.mode = $1 GROUP BY 1 ORDER BY 1`,
    [mode],
  );
  return Object.fromEntries(rows.map(({ name, units }) => [name, units]));
}

const balanceOf = async (key: string, code: string) => {
  const { body } = await app.api<{ items: { asset: string; available: string }[] }>('GET', '/balances', {
    key,
  });
  return body.data.items.find((each) => each.asset === code)?.available;
};

test('a test payment is paid on a test network by a test key alone, and nothing of it is live money', async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  await app.api('POST', '/webhook-endpoints', { body: { url: receiver.url } });
  const before = await outside('live');
  const { reference, url } = await create();
  const { words } = await readPage(url);
  expect(words).toContain('Test network: coins here have no value');
  // It is offered last of the networks, and made when it is chosen.
  const networks = (await stateOf(url)).destinations.map((each) => each.asset);
  expect(networks).not.toContain(asset);
  expect((await app.db.query('SELECT FROM evm_addresses')).rowCount).toBe(0);
  const address = await choose(url);
  expect(await choose(url)).toBe(address);
  expect((await readPage(url)).words).toContain('Test network: coins here have no value');
  await testnet.tokens[asset]!.send(address, 10_000_000n);
  await becomes(url, 'completed');
  const completed = await receiver.next(({ body }) => body.event_type === 'payment_completed', 'the payment');
  expect(completed.body).toMatchObject({ payment_reference: reference });
  expect(await balanceOf(app.secretKey, asset)).toBe('9.9');
  expect(await balanceOf(app.liveSecretKey, asset)).toBeUndefined();
  expect(await outside('live')).toEqual(before);
  expect(await outside('test')).toEqual({ [`evm:31338 ${asset}`]: -10_000_000n });
  expect(await auditFindings(app.db)).toEqual([]);
});

test('money of the other mode at the same address pays nothing', async () => {
  const inTest = await create();
  const address = await choose(inTest.url);
  const inLive = await create(app.liveSecretKey);
  const [place] = (await stateOf(inLive.url)).destinations;
  const before = await outside('live');
  await live.tokens['usdc-bep20']!.send(address, 10n ** 19n);
  await testnet.tokens[asset]!.send(place!.address as Hex, 10_000_000n);
  // What is sent afterwards is read after them.
  const witness = await create();
  await testnet.tokens[asset]!.send(await choose(witness.url), 10_000_000n);
  await becomes(witness.url, 'completed');
  const paid = await create(app.liveSecretKey);
  const [other] = (await stateOf(paid.url)).destinations;
  await live.tokens['usdc-bep20']!.send(other!.address as Hex, 10n ** 19n);
  await becomes(paid.url, 'completed');
  expect(await stateOf(inTest.url)).toMatchObject({ payment_status: 'linked', amount_received: '0' });
  expect(await stateOf(inLive.url)).toMatchObject({ payment_status: 'unlinked', amount_received: '0' });
  // The other chain's transfers are not even noted.
  expect((await app.db.query('SELECT FROM evm_transfers WHERE report_faults > 0')).rowCount).toBe(0);
  const name = 'evm:31337 usdc-bep20';
  expect(await outside('live')).toEqual({ ...before, [name]: (before[name] ?? 0n) - 10n ** 19n });
});

test('a test payment that waits for a test network can be simulated as well, in simulated money', async () => {
  const { reference, url } = await create();
  await choose(url);
  const body = { outcome: 'success' };
  await app.api('POST', `/test/payments/${reference}/simulate`, { body });
  expect((await stateOf(url)).payment_status).toBe('completed');
  expect(await outside('test')).not.toHaveProperty(`simulated ${asset}`);
  expect(await balanceOf(app.secretKey, 'usdc-erc20')).toBe('9.9');
});

test('its deadline follows the test clock, and what its network took before still counts', async () => {
  const late = await create();
  const inTime = await create();
  const [lateAt, inTimeAt] = [await choose(late.url), await choose(inTime.url)];
  await testnet.tokens[asset]!.send(inTimeAt, 10_000_000n);
  await app.api('POST', '/test/clock/advance', { body: { seconds: 3_600 } });
  await becomes(inTime.url, 'completed');
  await becomes(late.url, 'cancelled');
  await testnet.tokens[asset]!.send(lateAt, 10_000_000n);
  // Late money within the window completes it, as on any network.
  await becomes(late.url, 'completed');
  const { body } = await app.api<{ is_late?: boolean; transfers: object[] }>(
    'GET',
    `/payments/${late.reference}`,
  );
  expect(body.data.transfers).toHaveLength(1);
});

test('live calls know no asset of a test network, and simulation neither', async () => {
  const [inTest, inLive] = await Promise.all(
    (['test', 'live'] as const).map((mode) =>
      restrictedKey(app.db, app.integrationId, { actions: ['make payouts'], mode }),
    ),
  );
  const to = accounts.stranger.address;
  const wanted = { asset, amount: '1', to };
  const answers = await Promise.all([
    app.api('POST', '/top-up-addresses', { key: inLive!, body: { asset } }),
    app.api('POST', '/payment/fund-user', {
      key: app.liveSecretKey,
      body: { username: 'jane', amount: 1, currency: asset },
    }),
    app.api('POST', '/test/top-ups', { body: { asset, amount: '1' } }),
    app.api('POST', '/payouts', { key: inTest!, body: wanted }),
  ]);
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
    [400, 'Asset not supported'],
    [400, 'Currency not supported'],
    [400, 'Asset not supported'],
    [409, `Payouts in ${asset} are not available: this installation has no key that sends it`],
  ]);
});

test('a business tops its test balance up on a test network', async () => {
  const key = await restrictedKey(app.db, app.integrationId, { actions: ['make payouts'] });
  const made = await app.api<{ address: Hex }>('POST', '/top-up-addresses', { key, body: { asset } });
  const before = await balanceOf(app.secretKey, asset);
  const live = await outside('live');
  await testnet.tokens[asset]!.send(made.body.data.address, 5_000_000n);
  await vi.waitFor(async () => {
    await testnet.mine(2);
    expect(await balanceOf(app.secretKey, asset)).toBe(`${Number(before) + 5}`);
  }, soon);
  expect(await outside('live')).toEqual(live);
});

test('the reserves of each mode are compared by themselves', async () => {
  await vi.waitFor(async () => {
    await Promise.all([live.mine(2), testnet.mine(2)]);
    expect((await app.db.query('SELECT FROM evm_transfers WHERE unreported')).rowCount).toBe(0);
  }, soon);
  const { chains, assets, pi } = readConfig({ CONFIG_FILE: file });
  const asked = chains.map((chain) => ({ chain, endpoints: createEndpoints({ chain }) }));
  onTestFinished(() => Promise.all(asked.map(({ endpoints }) => endpoints.close())).then(() => {}));
  const deps = { db: app.db, chains: asked, pi, now: () => new Date(), log: silentLog };
  const known = createAssets(assets.all, assets.defaults);
  const reports = await Promise.all(
    (['live', 'test'] as const).map((mode) => readReserves({ ...deps, assets: known }, mode)),
  );
  expect(reports.map(({ missing }) => missing)).toEqual([[], []]);
  expect(reports.map(({ items }) => items.map((item) => [item.asset, item.difference]))).toEqual([
    [['usdc-bep20', '0']],
    [[asset, '0']],
  ]);
  // Operators see both.
  const later = () => new Date(Date.now() + 3_600_000);
  const watch = createReserveWatch({ ...deps, assets: known, now: later });
  const operator = await (await openConsole(app)).as('operator');
  type Shown = { items: { asset: string }[]; test: { items: { asset: string; network: string }[] } };
  await vi.waitFor(async () => {
    await watch();
    const { body } = await operator<Shown>('GET', '/console/operator/reserves');
    expect(body.data.items).toMatchObject([{ asset: 'usdc-bep20', difference: '0' }]);
    expect(body.data.test.items).toMatchObject([{ asset, network: 'Local test', difference: '0' }]);
  }, soon);
});
