import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../test/support/data-dir.ts';
import { testDatabase } from '../../test/support/database.ts';
import { noHints, seedIntegration, signIn, testSeal } from '../../test/support/fixtures.ts';
import { auditFindings } from '../../test/support/payment-fixtures.ts';
import { type Config, readConfig } from '../config/config.ts';
import { accountByEmail, passwordHashOf } from '../identity/accounts/accounts.ts';
import { isPassword } from '../identity/accounts/passwords.ts';
import { createKeyLookup } from '../identity/keys/keys.ts';
import { membershipsOf } from '../identity/merchants/merchants.ts';
import { systemClock } from '../kit/clock.ts';
import { type Database, transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { builtinAssets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import {
  deleteEndpoint,
  type Endpoint,
  endpointSecret,
  listEndpoints,
} from '../webhooks/endpoints/endpoints.ts';
import type { DemoChain } from './chain/demo-chain.ts';
import type { DemoPi } from './pi/demo-pi.ts';
import { type Demo, type DemoFile, prepareDemo } from './seed.ts';

let db: Database;
let dataDir: string;

beforeEach(async () => {
  ({ db } = await testDatabase());
  dataDir = await makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

async function prepare(
  env: Record<string, string> = {},
  chain?: Pick<DemoChain, 'rpcUrl' | 'record'>,
  pi?: Pick<DemoPi, 'url' | 'record'>,
): Promise<Demo | null> {
  const config: Config = readConfig({ DATA_DIR: dataDir, DEMO: '1', ...env });
  return await prepareDemo({
    config,
    db,
    seal: testSeal,
    chain: chain ?? null,
    pi: pi ?? null,
    now: systemClock(),
  });
}

async function readFileOfDemo(): Promise<DemoFile> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
}

async function endpointsOf({ integration_id: integrationId }: DemoFile): Promise<Endpoint[]> {
  return await listEndpoints(db, { integrationId, mode: 'test' });
}

/** The balances of an owner as decimals, by asset. */
async function balancesOf(owner: string): Promise<Record<string, string>> {
  const { rows } = await db.query<{ mode: string; asset: string; balance: bigint }>(
    'SELECT mode, asset, balance FROM ledger_accounts WHERE owner = $1',
    [owner],
  );
  const scales = new Map(builtinAssets.map(({ code, scale }) => [code, scale]));
  return Object.fromEntries(
    rows.map(({ mode, asset, balance }) => [`${mode} ${asset}`, decimalOf(balance, scales.get(asset)!)]),
  );
}

const inEveryAsset = (amount: string) =>
  Object.fromEntries(builtinAssets.map(({ code }) => [`test ${code}`, amount]));

describe('a seed', () => {
  test('leaves a file with all that a developer needs, for its owner alone', async () => {
    const demo = await prepare({ PORT: '4400', SHOP_PORT: '4500' });
    const file = await readFileOfDemo();
    expect(demo?.file).toEqual(file);
    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const password = expect.stringMatching(/^[\w-]{16}$/);
    expect(file).toEqual({
      base_url: 'http://127.0.0.1:4400',
      pay_url: 'http://127.0.0.1:4400/pay',
      dashboard_url: 'http://127.0.0.1:4400/app/',
      shop_url: 'http://127.0.0.1:4500',
      integration_id: id,
      secret_key: expect.stringMatching(/^sk_test_[0-9A-Za-z]{32}$/),
      live_secret_key: expect.stringMatching(/^sk_live_[0-9A-Za-z]{32}$/),
      payout_keys: { test: expect.stringMatching(/^sk_test_[0-9A-Za-z]{32}$/) },
      btcpay_keys: {
        test: expect.stringMatching(/^sk_test_[0-9A-Za-z]{32}$/),
        live: expect.stringMatching(/^sk_live_[0-9A-Za-z]{32}$/),
      },
      merchant: { email: 'merchant@example.com', password },
      operator: { email: 'operator@example.com', password },
      users: [
        { username: 'john_doe', password },
        { username: 'jane_doe', password },
      ],
      webhook_endpoint_id: id,
    });
    const passwords = [file.merchant, file.operator, ...file.users].map((each) => each.password);
    expect(new Set(passwords).size).toBe(4);
  });

  test('makes an integration whose keys are good, not approved for live mode', async () => {
    const { secret_key, live_secret_key, integration_id } = (await prepare())!.file;
    const findKey = createKeyLookup(db, systemClock);
    const integration = { id: integration_id, approval: 'none', allowPrivateWebhooks: true };
    expect(await findKey(secret_key)).toMatchObject({ mode: 'test', integration });
    expect(await findKey(live_secret_key)).toMatchObject({ mode: 'live', integration });
  });

  test('gives test money in every asset to the business and to its users, who can sign in', async () => {
    const { integration_id, users } = (await prepare())!.file;
    expect(await balancesOf(integration_id)).toEqual(inEveryAsset('100000'));
    for (const { username, password } of users) {
      const userId = await signIn(db, username, password);
      expect(await balancesOf(userId!)).toEqual(inEveryAsset('1000'));
    }
    expect(await auditFindings(db)).toEqual([]);
  });

  test('makes accounts for the dashboard: the owner of the business, and an operator', async () => {
    const { file } = (await prepare())!;
    for (const { email, password } of [file.merchant, file.operator]) {
      const account = (await accountByEmail(db, email))!;
      expect(await isPassword((await passwordHashOf(db, account.id))!, password)).toBe(true);
    }
    const { id } = (await accountByEmail(db, file.merchant.email))!;
    expect(await membershipsOf(db, id)).toMatchObject([
      { name: 'Nib & Folio', role: 'owner', integrations: [{ id: file.integration_id }] },
    ]);
  });

  test('points webhooks at the shop, which gets the secret to verify them with', async () => {
    const demo = (await prepare({ SHOP_PORT: '4500' }))!;
    const endpoints = await endpointsOf(demo.file);
    expect(endpoints).toMatchObject([
      {
        id: demo.file.webhook_endpoint_id,
        url: 'http://127.0.0.1:4500/webhook',
        status: 'active',
        events: ['payment_completed', 'payment_failed', 'payment_abandoned'],
      },
    ]);
    expect(demo.webhookSecret).toBe(await endpointSecret(db, testSeal, endpoints[0]!.id));
  });

  test('happens once, however many gateways start at once', async () => {
    const demos = await Promise.all(Array.from({ length: 4 }, () => prepare()));
    expect(new Set(demos.map((demo) => demo?.file.secret_key)).size).toBe(1);
    expect(demos.map((demo) => demo?.file)).toEqual(demos.map(() => demos[0]?.file));
    const { rows } = await db.query('SELECT name FROM integrations');
    expect(rows).toEqual([{ name: 'Nib & Folio' }]);
    expect(await balancesOf(demos[0]!.file.integration_id)).toEqual(inEveryAsset('100000'));
  });

  test('passes by a database that is in use', async () => {
    await seedIntegration(db);
    expect(await prepare()).toBeNull();
    await expect(readFileOfDemo()).rejects.toThrow('ENOENT');
  });

  test('is left out with DEMO=0', async () => {
    expect(await prepare({ DEMO: '0' })).toBeNull();
    expect((await db.query('SELECT FROM integrations')).rowCount).toBe(0);
    await expect(readFileOfDemo()).rejects.toThrow('ENOENT');
  });
});

describe('a demo network', () => {
  const keys = {
    payer: '0x01',
    treasury: '0x02',
    gas: '0x03',
    admin: '0x04',
    signer: '0x05',
    host: `0x${'6'.padStart(64, '0')}`,
    merchant: `0x${'7'.padStart(64, '0')}`,
  } as const;
  const tokens = { 'usdc-bep20': '0xaa' } as const;
  const chain = {
    rpcUrl: 'http://127.0.0.1:4200',
    record: { chain_id: 7, port: 4200, tokens, vault: '0xbb', keys },
  } as const;
  const record = { port: 4300, passphrase: 'Demo', custody_account: 'GCUSTODY', payer_secret: 'SPAYER' };
  const pi = { url: 'http://127.0.0.1:4300', record };
  const approvalIn = async (db: Database) =>
    (await db.query<{ approval: string }>('SELECT approval FROM integrations')).rows[0]!.approval;

  test('lets the demo integration take live payments, and the shop get their webhooks, as long as it runs', async () => {
    const { file, liveWebhookSecret } = (await prepare({}, chain))!;
    expect(await approvalIn(db)).toBe('approved');
    expect(file.chain).toEqual({
      rpc_url: 'http://127.0.0.1:4200',
      chain_id: 7,
      tokens: { 'usdc-bep20': '0xaa' },
      payer_private_key: '0x01',
      vault: '0xbb',
    });
    const live = { integrationId: file.integration_id, mode: 'live' } as const;
    expect(await listEndpoints(db, live)).toMatchObject([{ url: `${file.shop_url}/webhook/live` }]);
    expect(liveWebhookSecret).toMatch(/^whsec_/);
    expect((await prepare({}, chain))?.file).toEqual(file);

    const without = (await prepare())!;
    expect(without.file).not.toHaveProperty('chain');
    expect(without.liveWebhookSecret).toBeNull();
    expect(await readFileOfDemo()).toEqual(without.file);
  });

  test('may be one of Pi, alone or beside a chain', async () => {
    const { file, liveWebhookSecret } = (await prepare({}, undefined, pi))!;
    expect(await approvalIn(db)).toBe('approved');
    expect(file.pi).toEqual({
      horizon_url: 'http://127.0.0.1:4300',
      network_passphrase: 'Demo',
      custody_account: 'GCUSTODY',
      payer_secret: 'SPAYER',
    });
    expect(file).not.toHaveProperty('chain');
    expect(liveWebhookSecret).toMatch(/^whsec_/);
    const both = (await prepare({}, chain, pi))!;
    const added = { chain: expect.objectContaining({ chain_id: 7 }), own_wallet: expect.any(Object) };
    expect(both.file).toEqual({ ...file, ...added });
    expect((await prepare())!.file).not.toHaveProperty('pi');
  });

  test('does not overrule an operator who suspended the demo integration', async () => {
    await prepare({}, chain);
    await db.query("UPDATE integrations SET approval = 'suspended'");
    await prepare({}, chain);
    expect(await approvalIn(db)).toBe('suspended');
  });
});

describe('a later start', () => {
  test('keeps keys and passwords, and takes on new addresses', async () => {
    const { file } = (await prepare({ PORT: '4400', SHOP_PORT: '4500' }))!;
    const later = (await prepare({ PORT: '4401', SHOP_PORT: '4501', BASE_URL: 'https://pay.example' }))!;
    expect(later.file).toEqual({
      ...file,
      base_url: 'https://pay.example',
      pay_url: 'https://pay.example/pay',
      dashboard_url: 'https://pay.example/app/',
      shop_url: 'http://127.0.0.1:4501',
    });
    expect(await readFileOfDemo()).toEqual(later.file);
    expect(await endpointsOf(file)).toMatchObject([{ url: 'http://127.0.0.1:4501/webhook' }]);
  });

  test('marks its accounts as those of the demo, also those of a seed from before, and nobody else', async () => {
    const { file } = (await prepare())!;
    const marked = async () =>
      (await db.query<{ email: string }>('SELECT email FROM accounts WHERE is_demo ORDER BY email')).rows.map(
        ({ email }) => email,
      );
    const own = [file.merchant.email, file.operator.email].sort();
    expect(await marked()).toEqual(own);
    await db.query('UPDATE accounts SET is_demo = false');
    await prepare();
    expect(await marked()).toEqual(own);
    // Somebody else has the address now.
    await db.query(
      `UPDATE accounts SET is_demo = false, created_at = created_at + interval '1 hour' WHERE email = $1`,
      [file.operator.email],
    );
    await prepare();
    expect(await marked()).toEqual([file.merchant.email]);
  });

  test('of several gateways at once is no quarrel over the file', async () => {
    const { file } = (await prepare())!;
    const demos = await Promise.all(Array.from({ length: 4 }, () => prepare()));
    expect(demos.map((demo) => demo?.file)).toEqual(demos.map(() => file));
    expect(await readFileOfDemo()).toEqual(file);
  });

  test("makes the shop's webhook endpoint anew when somebody deleted it", async () => {
    const { file } = (await prepare())!;
    const [endpoint] = await endpointsOf(file);
    await transaction(db, (tx) => deleteEndpoint(tx, noHints, endpoint!.id, systemClock()));
    const later = (await prepare())!;
    expect(await endpointsOf(file)).toMatchObject([{ id: later.file.webhook_endpoint_id }]);
    expect(later.file.webhook_endpoint_id).not.toBe(file.webhook_endpoint_id);
    expect(later.webhookSecret).toMatch(/^whsec_/);
  });

  test('with the file of another database has no demo', async () => {
    const { file } = (await prepare())!;
    const strange = { ...file, integration_id: newId(), webhook_endpoint_id: newId() };
    await writeFile(join(dataDir, 'demo.json'), JSON.stringify(strange));
    expect(await prepare()).toBeNull();
    expect(await readFileOfDemo()).toEqual(strange);
  });
});
