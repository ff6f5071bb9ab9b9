import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findPostgres15 } from '../../../scripts/install-postgres.mjs';
import { backup } from '../../src/commands/backup.ts';
import { restore } from '../../src/commands/restore.ts';
import { openDatabase } from '../../src/kit/db/db.ts';
import { servingConnection } from '../../src/kit/postgres/embedded-postgres.ts';
import { readSchema } from '../schema/schema.ts';
import { atFileEnd } from '../suite/endings.ts';
import { createApi, submitForm } from '../support/api.ts';
import { printed } from '../support/commands-fixtures.ts';
import { makeDataDir } from '../support/data-dir.ts';
import { databaseUrl, testDatabase } from '../support/database.ts';
import { type RunningGateway, startGateway } from '../support/running.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { type SystemServer, startSystemServer } from './server.ts';

const programs = findPostgres15();

// The oldest version that docs/operations.md names. Where it is not installed these tests are shown as not run.
describe.skipIf(programs === undefined)('on PostgreSQL 15', () => {
  let server: SystemServer;
  let gateway: RunningGateway;
  let shop: Receiver;
  beforeAll(async () => {
    server = await startSystemServer(programs ?? '', { fsync: 'off', jit: 'on' });
    // Also where a step below fails, and after the gateway.
    atFileEnd(() => server.stop());
    shop = await openReceiver();
    atFileEnd(shop.close);
    const dataDir = await makeDataDir();
    gateway = await startGateway({
      dataDir,
      env: {
        MASTER_KEY_FILE: join(dataDir, 'master.key'),
        DATABASE_URL: databaseUrl(servingConnection(server.connection)),
        MIGRATE_DATABASE_URL: databaseUrl(server.connection),
        DEMO: '1',
      },
    });
    const events = ['payment_completed', 'payout_completed', 'payment_refunded'];
    await gateway.api('POST', '/webhook-endpoints', { body: { url: shop.url, events } });
  });

  async function asOwner<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
    const db = openDatabase(server.connection, 1);
    try {
      return await work(db);
    } finally {
      await db.end();
    }
  }
  async function pay(reference: string, payment: object): Promise<string> {
    const body = { currency: 'USDC', payment_type: 'deposit', payment_reference: reference, ...payment };
    const created = await gateway.api<{ PaymentURL: string }>('PUT', '/payment/create', { body });
    return created.body.data.PaymentURL;
  }
  const webhook = async (fits: Record<string, string>) =>
    await shop.next(
      ({ body }) => Object.entries(fits).every(([field, value]) => body[field] === value),
      JSON.stringify(fits),
    );

  test('all migrations are applied, and give the schema that the embedded server has', async () => {
    const { db: embedded } = await testDatabase();
    const version = await asOwner((db) => db.query('SHOW server_version_num'));
    expect(version.rows).toEqual([{ server_version_num: expect.stringMatching(/^15/) }]);
    expect(await asOwner(readSchema)).toEqual(await readSchema(embedded));
  });

  test('no statement is compiled, though the server would: to compile one that scans takes a quarter of a second', async () => {
    const plan = await asOwner(async (db) => {
      await db.query('CREATE TEMPORARY TABLE plain AS SELECT 1 AS n');
      return JSON.stringify((await db.query('EXPLAIN SELECT sum(n) FROM plain')).rows);
    });
    expect(plan).toContain('Seq Scan');
    expect(plan).not.toContain('JIT');
  });

  test('a payment is created, paid by simulation and from a wallet, and told to the shop', async () => {
    await pay('P15-CHAIN', { amount: 100 });
    await gateway.api('POST', '/test/payments/P15-CHAIN/simulate', { body: { outcome: 'success' } });
    const url = await pay('P15-WALLET', { amount: 5 });
    await submitForm(url, 'method', { asset: 'wallet' });
    await submitForm(url, 'wallet', gateway.demo.users[0]!);
    for (const reference of ['P15-CHAIN', 'P15-WALLET'])
      await webhook({ payment_reference: reference, event_type: 'payment_completed' });
  });

  test('a payout and a refund are ordered and carried out', async () => {
    const money = createApi(gateway.baseUrl, gateway.demo.payout_keys!.test);
    const to = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
    const order = { asset: 'usdc-base', amount: '3', to, payout_reference: 'P15-OUT' };
    expect(await money('POST', '/payouts', { body: order })).toMatchObject({ status: 200 });
    await money('POST', '/test/payouts/P15-OUT/simulate', { body: { outcome: 'sent' } });
    await webhook({ payout_reference: 'P15-OUT', event_type: 'payout_completed' });
    const body = { amount: '2', to };
    const { data: refund } = (await money<{ id: string }>('POST', '/payments/P15-CHAIN/refunds', { body }))
      .body;
    await money('POST', `/test/payouts/${refund.id}/simulate`, { body: { outcome: 'sent' } });
    await webhook({ refund_id: refund.id, event_type: 'payment_refunded' });
  });

  test('what merchants read is read', async () => {
    const paths = ['/payments', '/balances', '/balance-entries', '/events', '/payouts', '/webhook-endpoints'];
    const money = createApi(gateway.baseUrl, gateway.demo.payout_keys!.test);
    for (const path of paths) {
      const { status } = await (path === '/payouts' ? money : gateway.api)('GET', path);
      expect({ path, status }).toEqual({ path, status: 200 });
    }
  });

  test('a backup is made, and restored into an empty database with a clean ledger', async () => {
    await asOwner((db) => db.query('CREATE DATABASE copy TEMPLATE template0'));
    const file = join(gateway.dataDir, 'florin.backup');
    const env = {
      DATA_DIR: gateway.dataDir,
      DATABASE_URL: databaseUrl(server.connection),
      MASTER_KEY_FILE: join(gateway.dataDir, 'master.key'),
    };
    expect(await printed(() => backup(env, { file }))).toMatchObject({ code: 0 });
    const copy = { ...env, DATABASE_URL: databaseUrl({ ...server.connection, database: 'copy' }) };
    const restored = await printed(() => restore(copy, { file }));
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('The ledger is clean') });
  });
});
