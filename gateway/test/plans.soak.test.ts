import { beforeAll, expect, test } from 'vitest';
import { seedEvents } from '../../bench/seed/events.ts';
import { bookPayments, seedPayments } from '../../bench/seed/payments.ts';
import { after } from '../src/kit/clock.ts';
import { type Database, openDatabase, transaction } from '../src/kit/db/db.ts';
import { createAssets } from '../src/money/assets.ts';
import { defaultEventTypes } from '../src/webhooks/events/event-types.ts';
import { makePayouts } from './browser/dashboard-payouts.ts';
import { type Reading, type Watch, watchPlans } from './plans/explain.ts';
import { multiply } from './plans/many.ts';
import { namedStatements } from './plans/named.ts';
import { playDay } from './plans/play.ts';
import { type OpenConsole, openConsole } from './support/console.ts';
import { testDatabase } from './support/database.ts';
import { seedBalance, seedUser } from './support/fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';
import { openReceiver } from './webhooks/receiver.ts';

// Every named statement reads what it returns, and no more where there are more payments. The server itself says what
// the statements of a running gateway read.

const young = 2_000;
// What grows with the payments shows with 20,000 too; 200,000 are a large installation.
const few = process.env.SOAK ? 10_000 : 5_000;
const copies = process.env.SOAK ? 19 : 3;
const mostTimes = 3;
/** So many rows are read at once anyway: what has never more of them may be read as a whole. */
const aPage = 30;
const days = (count: number): number => count * 86_400;

/** Statements that may read more than three times the rows that they return, and why. */
const mayReadMore: Record<string, string> = {};

/** Statements that no installation without networks and mail makes. Each has tests of its own. */
const notPlayed: Record<string, string> = {
  'any-mail-due': 'needs a mail server',
  begin: 'has no plan',
  'begin-mails': 'needs a mail server',
  'changed-since': 'needs a standby that is read',
  'commit-late': 'has no plan',
  'find-pi-memo': 'needs a Pi network',
  'hold-lease': 'needs a network to send to',
  'keep-lease': 'the same',
  'master-keys': 'is read at the start and by the heartbeat, from a table of a few rows',
  'match-transfers': 'needs a chain',
  'move-pi-cursor': 'needs a Pi network',
  'note-pi-movement': 'needs a Pi network',
  'note-pi-reported': 'needs a Pi network',
  'own-addresses-of': 'needs a network',
  'read-pi-books': 'needs a Pi network',
  'waiting-transfers': 'needs a chain',
  'write-rate-answers': 'needs sources of rates',
};

let app: RunningApp;
let people: OpenConsole;
let watch: Watch;

beforeAll(async () => {
  const database = await testDatabase();
  const admin = openDatabase(database.connection, 1);
  watch = await watchPlans(database.serving.db, admin, `${database.connection.database}`);
  await admin.end();
  app = await startApp({ database });
  people = await openConsole(app);
  const receiver = await openReceiver(({ body }) => (body.event_type === 'payment_failed' ? 503 : 200));
  const endpoint = async () =>
    (await app.api<{ id: string }>('POST', '/webhook-endpoints', { body: { url: receiver.url } })).body.data
      .id;
  await endpoint();
  await app.api('PATCH', `/webhook-endpoints/${await endpoint()}`, { body: { status: 'paused' } });
  const chosen = { mail: ['paid'], day: [], telegram: [], push: [] };
  await (await people.as('owner'))('PUT', `${people.test}/notices`, { body: chosen });
  await seedUser(app.db, 'ada');
  const holder = { owner: app.integrationId, kind: 'business', mode: 'test' } as const;
  await seedBalance(app.db, { ...holder, asset: 'usdc-base', units: 10n ** 12n });
  await makePayouts(app, people);
});

/** Payments from number `from` to number `to`, with what belongs to them. */
async function seed(db: Database, from: number, to: number): Promise<void> {
  const owner = { integrationId: app.integrationId, mode: 'test' } as const;
  const now = new Date();
  const span = { from: after(now, -days(365)), to: now, number: from, customers: 2_000 };
  await transaction(db, async (tx) => {
    const batch = { ...span, count: to - from, feeBps: 100 };
    await seedPayments(tx, { ...owner, assets: createAssets() }, batch, now);
    await seedEvents(tx, owner, { since: after(now, -days(30)), types: defaultEventTypes });
    await bookPayments(tx, owner);
  });
}

async function seedOthers(db: Database): Promise<void> {
  await db.query(
    `INSERT INTO ledger_accounts (kind, owner, mode, asset, stored)
     SELECT kind, gen_random_uuid(), 'test', asset, true FROM generate_series(1, 500),
       unnest('{business,suspense,payable,user}'::text[]) kind, unnest('{usdc-base,pi}'::text[]) asset`,
  );
}

/** What was read beyond measure since the last `forget`, each once. */
function tooMuch(readings: readonly Reading[]): string[] {
  const found = readings
    .filter(({ name, read, result }) => read > aPage && read > mostTimes * result && !(name in mayReadMore))
    .map(({ name, table, how, read, result }) => `${name}: ${how} of ${table}: ${read} for ${result}`);
  return [...new Set(found)];
}

test(`plans that were made on an empty database are as good with ${young} payments`, async () => {
  // The second time each statement has a plan for any parameters, which its connection keeps.
  for (const _ of [1, 2]) await playDay(app, people);
  await seed(app.db, 0, young);
  await seedOthers(app.db);
  watch.forget();
  await playDay(app, people);
  expect(tooMuch(watch.readings())).toEqual([]);
});

test(`and those that are made with ${young}`, async () => {
  await app.db.query('VACUUM (ANALYZE)');
  watch.forget();
  await playDay(app, people);
  expect(tooMuch(watch.readings())).toEqual([]);
});

test(`with ${few} payments every named statement reads at most three times the rows that it returns`, async () => {
  await seed(app.db, young, few);
  await app.db.query('VACUUM (ANALYZE)');
  watch.forget();
  await playDay(app, people);
  expect(tooMuch(watch.readings())).toEqual([]);
});

test(`and with ${few * (1 + copies)}`, { timeout: 900_000 }, async () => {
  await multiply(app.db, copies);
  watch.forget();
  await playDay(app, people);
  expect(tooMuch(watch.readings())).toEqual([]);
});

test('every named statement was among them, unless it is known why not', async () => {
  const ran = watch.names();
  const unknown = (await namedStatements()).filter((name) => !ran.has(name) && !(name in notPlayed));
  expect(unknown).toEqual([]);
  expect(ran.size).toBeGreaterThan(20);
});

test('a statement that reads a table from end to end would be found', async () => {
  watch.forget();
  const text = "SELECT id FROM payments WHERE customer_reference || '' = $1";
  await app.serving.db.query({ name: 'reads-it-all', text, values: ['nobody'] });
  expect(tooMuch(watch.readings())).toEqual([
    expect.stringMatching(/^reads-it-all: .* of payments: \d+ for 0$/),
  ]);
});
