import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../src/kit/db/db.ts';
import { connectEmbedded } from '../src/kit/postgres/embedded-postgres.ts';
import { findCluster } from '../src/kit/postgres/postgres-cluster.ts';
import { readPostmaster, signal } from '../src/kit/postgres/postgres-postmaster.ts';
import { decimalOf } from '../src/money/money.ts';
import { childEnvironment } from './suite/child-environment.ts';
import type { Api } from './support/api.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { isSignedWith, openReceiver, type Receiver } from './webhooks/receiver.ts';

const rounds = Array.from({ length: process.env.SOAK ? 25 : 2 }, (_, index) => index + 1);
const paymentsPerRound = process.env.SOAK ? 1_000 : 120;
const customers = 100;
const env = { RATE_LIMIT: '0' };
/** For a thousand payments and a recovery, on a machine that is busy with other tests. */
const roundMs = 120_000;
const cli = join(import.meta.dirname, '../../cli/src/main.ts');

/** Runs through every round: the gateway that is started anew each time, and the shop that listens all along. */
let gateway: RunningGateway;
let shop: Receiver;

beforeAll(async () => {
  [gateway, shop] = await Promise.all([startGateway({ env, embedded: true }), openReceiver()]);
  await gateway.api('POST', '/webhook-endpoints', { body: { url: shop.url, events: ['payment_completed'] } });
  return shop.close;
});

/** What the gateway answered 200 to before it was killed. */
type Acknowledged = { created: string[]; completed: string[] };

/** Customers who create and pay until all is done or the gateway is gone; `after` is told how many answers came. */
async function buy(api: Api, round: number, after: (answers: number) => void): Promise<Acknowledged> {
  const done: Acknowledged = { created: [], completed: [] };
  const waiting = Array.from({ length: paymentsPerRound }, (_, index) => `CRASH-${round}-${index}`);
  function answered(list: string[], reference: string): void {
    list.push(reference);
    after(done.created.length + done.completed.length);
  }
  async function customer(): Promise<void> {
    for (let reference = waiting.pop(); reference; reference = waiting.pop()) {
      const body = { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
      if ((await api('PUT', '/payment/create', { body })).status !== 200) continue;
      answered(done.created, reference);
      const path = `/test/payments/${reference}/simulate`;
      const paid = await api('POST', path, { body: { outcome: 'success' } });
      if (paid.status === 200) answered(done.completed, reference);
    }
  }
  // A call that the kill breaks off ends its customer.
  await Promise.allSettled(Array.from({ length: customers }, customer));
  return done;
}

/** Some point of a round's answers, which are two for each payment; another for every seed. */
function momentOf(seed: number): number {
  return Math.floor(paymentsPerRound * (0.1 + ((seed * 2_654_435_761) % 1_700) / 1_000));
}

async function kill({ alsoDatabase }: { alsoDatabase: boolean }): Promise<void> {
  const { data } = (await findCluster(gateway.dataDir))!;
  const postmaster = (await readPostmaster(data))!;
  // Without this the database notices that its gateway is gone, and stops in good order.
  if (alsoDatabase) signal(postmaster, 'SIGQUIT');
  await gateway.kill9();
}

/** Reads beside the gateway, in its own database. */
async function withDatabase<T>(read: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase((await connectEmbedded(gateway.dataDir))!, 1);
  try {
    return await read(db);
  } finally {
    await db.end();
  }
}

async function audit(): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'audit', '--json'], {
    env: { ...childEnvironment, DATA_DIR: gateway.dataDir },
  });
  return JSON.parse(stdout).findings;
}

async function statusOf(reference: string): Promise<string> {
  const { body } = await gateway.api<{ payment_status: string }>('GET', `/payment/info/${reference}`);
  return body.data?.payment_status ?? body.message;
}

const completedPayments = (db: Database) =>
  db.query<{ reference: string }>(`SELECT reference FROM payments WHERE status = 'completed'`);

describe.each(rounds)('a gateway that is killed among many payments, seed %i,', (round) => {
  let acknowledged: Acknowledged;

  test(
    'starts again on what it left',
    async () => {
      const moment = momentOf(round);
      let killed: Promise<void> | undefined;
      acknowledged = await buy(gateway.api, round, (answers) => {
        if (answers >= moment) killed ??= kill({ alsoDatabase: round % 2 === 0 });
      });
      await killed;
      gateway = await startGateway({ env, dataDir: gateway.dataDir });
    },
    roundMs,
  );

  test('has every payment that it acknowledged, as it acknowledged it', async () => {
    const { created, completed } = acknowledged;
    expect(created.length + completed.length).toBeGreaterThanOrEqual(momentOf(round));
    const statuses = new Map<string, string>();
    // More at once than customers there are would be refused as overload.
    for (let at = 0; at < created.length; at += customers) {
      const some = created.slice(at, at + customers);
      await Promise.all(some.map(async (each) => statuses.set(each, await statusOf(each))));
    }
    const wrong = (list: string[], ...right: string[]) =>
      list
        .map((each) => `${each} ${statuses.get(each)}`)
        .filter((each) => !right.includes(each.split(' ')[1]!));
    expect(wrong(created, 'unlinked', 'completed')).toEqual([]);
    expect(wrong(completed, 'completed')).toEqual([]);
  });

  test('tells the shop of every completed payment, each by one event', async () => {
    const { rows } = await withDatabase(completedPayments);
    await Promise.all(
      rows.map(({ reference }) => shop.next(({ body }) => body.payment_reference === reference, reference)),
    );
    const events = Map.groupBy(shop.received, ({ body }) => body.payment_reference);
    expect([...events.keys()].sort()).toEqual(rows.map(({ reference }) => reference).sort());
    for (const copies of events.values()) {
      expect(new Set(copies.map(({ raw }) => raw.toString())).size).toBe(1);
    }
    const key = gateway.demo.secret_key;
    for (const { raw, headers } of shop.received) {
      expect(isSignedWith(key, raw, headers['x-signature'])).toBe(true);
    }
  });

  test('credited no payment twice, and its ledger is clean', async () => {
    const { rows: twice } = await withDatabase((db) =>
      db.query(`SELECT cause_id, cause FROM ledger_transfers WHERE cause_id IS NOT NULL
                GROUP BY cause_id, cause HAVING count(*) > 1`),
    );
    expect(twice).toEqual([]);
    const { rows } = await withDatabase(completedPayments);
    const { body } = await gateway.api<{ items: { asset: string; available: string }[] }>('GET', '/balances');
    // The demo's 100,000, and of each 10 USDC what the fee of 1 % leaves.
    const tenths = 1_000_000n + 99n * BigInt(rows.length);
    const balance = body.data.items.find(({ asset }) => asset === 'usdc-erc20');
    expect(balance?.available).toBe(decimalOf(tenths, 1));
    expect(await audit()).toEqual([]);
  });
});

test('of 500 concurrent fund-user calls for a hundredth of the balance each, exactly 100 succeed', async () => {
  const body = { username: 'john_doe', amount: 1_000, currency: 'pi' };
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => gateway.api('POST', '/payment/fund-user', { body })),
  );
  const told = Object.groupBy(answers, ({ status, body: { message } }) => `${status} ${message}`);
  const counts = Object.entries(told).map(([message, list]) => [message, list?.length]);
  expect(Object.fromEntries(counts)).toEqual({
    '200 User wallet funded successfully': 100,
    '403 Insufficient business balance': 400,
  });
  expect(await audit()).toEqual([]);
});

test('the audit finds nothing either when no gateway runs beside it', async () => {
  await gateway.stop();
  expect(await audit()).toEqual([]);
});
