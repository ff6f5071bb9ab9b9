import { Asset, Operation } from '@stellar/stellar-sdk';
import pino from 'pino';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type Horizon, startHorizon } from '../../../../test/horizon/horizon.ts';
import {
  coin,
  fee,
  openPi,
  openReading,
  type PiWorld,
  type Reading,
  standing,
} from '../../../../test/pi/fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { piHealth } from '../health.ts';

const logged: { level: number; msg: string; transaction?: string }[] = [];
const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) });
const { db } = await testDatabase();
const world: PiWorld = await openPi();
const { horizon, clock, custody, payer, pi } = world;
const second = await startHorizon({ core: horizon.core, closeMs: null });
let reading: Reading;
let payment: { id: string; memo: string };

beforeEach(async () => {
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  logged.length = 0;
  reading = await openReading(db, world, { log });
  payment = await reading.open();
});
afterEach(async () => {
  for (const each of [horizon, second]) {
    each.faults.clear();
    each.lagLedgers = 0;
  }
  await reading.reader.disconnect();
});
afterAll(async () => {
  await horizon.stop();
  await second.stop();
});

const pay = (units: bigint) =>
  horizon.pay({ from: payer, to: pi.account, amount: units, memo: payment.memo });
const faults = async () => (await piHealth(db, pi, clock.now())).faults;
const toUs = { destination: pi.account, asset: Asset.native() };
const always = { times: Number.POSITIVE_INFINITY };
const lists = /\/(payments|operations)\?/;
const payments = /\/payments\?/;
const balance = /^\/accounts\/\w+$/;

const readBacks = () => horizon.requests.filter((each) => /operations\?/.test(each)).length;

/** As time passes, rounds are made; the network has its ledgers. */
async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    clock.advance(15);
    horizon.close();
    await reading.tick();
  }
}

/** These transactions are in none of the lists that a Horizon shows. */
function leaveOut(from: Horizon, hashes: string[], path = lists): () => void {
  const isLeftOut = (record: Record<string, unknown>) => hashes.includes(`${record.transaction_hash}`);
  return from.faults.add({ kind: 'omits', isLeftOut, path, ...always });
}

/** The account has so much more than it has, says a Horizon. */
const tellMore = (from: Horizon, units: () => bigint) =>
  from.faults.add({
    ...{ kind: 'rewrite', path: balance, ...always },
    rewrite: (body) => {
      const account = structuredClone(body) as { balances: Record<string, string>[] };
      const native = account.balances.at(-1)!;
      const told = BigInt(native.balance!.replace('.', '')) + units();
      native.balance = `${told / coin}.${`${told % coin}`.padStart(7, '0')}`;
      return account;
    },
  });

test('a record that a page left out is found in the same round, although the cursor is behind it', async () => {
  const missed = pay(5n * coin);
  pay(1n * coin);
  const show = leaveOut(horizon, [missed], payments);
  await rounds(1);
  show();
  await rounds(2);
  expect(standing(reading, payment.id)).toEqual([`final ${5n * coin}`, `final ${coin}`]);
  expect(reading.transfers).toHaveLength(2);
  expect(await faults()).toEqual([]);
  expect(logged).toMatchObject([{ level: 50, transaction: missed, msg: expect.stringContaining('left') }]);
});

test('while no list shows it operators see how much is missing, and no more once it is found', async () => {
  const missed = [pay(5n * coin), pay(2n * coin)];
  pay(1n * coin);
  const show = leaveOut(horizon, missed);
  await rounds(1);
  expect(await faults()).toEqual([]);
  await rounds(2);
  expect(await faults()).toEqual([
    { code: 'out_of_balance', message: expect.stringContaining('holds 7 PI more than') },
  ]);
  expect(standing(reading)).toEqual([`final ${coin}`]);
  pay(3n * coin);
  await rounds(1);
  expect(standing(reading)).toEqual([`final ${coin}`, `final ${3n * coin}`]);
  expect(logged).toMatchObject([{ level: 50, msg: expect.stringContaining('balance is not') }]);
  show();
  await rounds(10);
  expect(standing(reading).sort()).toEqual([1n, 2n, 3n, 5n].map((pis) => `final ${pis * coin}`));
  expect(reading.transfers).toHaveLength(4);
  expect(await faults()).toEqual([]);
  expect(logged.slice(1)).toMatchObject([
    ...missed.map((transaction) => ({ level: 50, transaction })),
    { level: 30, msg: expect.stringContaining('in balance again') },
  ]);
});

test('what left the account and was left out is found, with its fee', async () => {
  const missed = horizon.pay({ from: custody, to: payer.publicKey(), amount: coin });
  pay(2n * coin);
  leaveOut(horizon, [missed], payments);
  await rounds(2);
  expect(reading.outflows).toMatchObject([{ transaction: missed, units: coin, fee }]);
  expect(await faults()).toEqual([]);
});

test('the fee of a transaction that only changes the account’s settings is found', async () => {
  const hash = horizon.transact({
    from: custody,
    operations: [Operation.manageData({ name: 'note', value: `${clock.now().getTime()}` })],
  });
  await rounds(2);
  expect(reading.outflows).toMatchObject([{ transaction: hash, units: 0n, fee }]);
  await rounds(3);
  expect(reading.outflows).toHaveLength(1);
  expect(await faults()).toEqual([]);
});

test('another Horizon shows what the one that was read leaves out', async () => {
  await reading.reader.disconnect();
  reading = await openReading(db, world, { pi: { horizonUrls: [horizon.url, second.url] }, isBegun: false });
  await reading.restart();
  await reading.tick();
  const missed = pay(5n * coin);
  pay(coin);
  leaveOut(horizon, [missed]);
  await rounds(2);
  expect(standing(reading, payment.id)).toEqual([`final ${5n * coin}`, `final ${coin}`]);
  expect(await faults()).toEqual([]);
});

test('what comes between the reading and the balance is no difference', async () => {
  const before = readBacks();
  let paid = 0;
  horizon.faults.add({
    ...{ kind: 'rewrite', path: payments, ...always },
    rewrite: (body) => {
      // The answer is made; then its ledger is no longer the newest.
      if (paid++ < 5) pay(coin);
      return body;
    },
  });
  await rounds(5);
  expect(await faults()).toEqual([]);
  expect(readBacks()).toBe(before);
  await rounds(1);
  expect(standing(reading)).toHaveLength(5);
});

test('a balance of some ledgers ago is no difference', async () => {
  const before = readBacks();
  pay(coin);
  horizon.faults.add({ kind: 'stale', ledgers: 3, path: balance, ...always });
  await rounds(1);
  expect(standing(reading)).toEqual([`final ${coin}`]);
  expect(readBacks()).toBe(before);
  const { rows } = await db.query('SELECT difference, differing_looks FROM pi_accounts');
  expect(rows).toEqual([{ difference: null, differing_looks: 0 }]);
});

test('what the account had before reading began is no difference, and is never read', async () => {
  pay(coin);
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  await reading.restart();
  await rounds(2);
  pay(2n * coin);
  await rounds(2);
  expect(standing(reading)).toEqual([`final ${2n * coin}`]);
  expect(await faults()).toEqual([]);
});

test('an installation that read before balances were compared begins with the balance that it finds', async () => {
  await db.query('UPDATE pi_accounts SET agreed_ledger = NULL, agreed_units = NULL');
  await reading.restart();
  await rounds(1);
  const missed = pay(2n * coin);
  leaveOut(horizon, [missed], payments);
  await rounds(2);
  expect(standing(reading)).toEqual([`final ${2n * coin}`]);
});

test('a difference that nothing explains is reported, costs few requests, and delays nothing', async () => {
  tellMore(horizon, () => 5n * coin);
  await rounds(5);
  const before = horizon.requests.length;
  await rounds(240);
  const told = [{ code: 'out_of_balance', message: expect.stringContaining('holds 5 PI more than') }];
  expect(await faults()).toEqual(told);
  // A round has three: where the network is, the page, the balance.
  expect(horizon.requests.length - before).toBeLessThan(240 * 3 + 60);
  pay(coin);
  await rounds(1);
  expect(standing(reading)).toEqual([`final ${coin}`]);
  const missed = pay(2n * coin);
  leaveOut(horizon, [missed], payments);
  await rounds(2);
  expect(standing(reading)).toEqual([`final ${coin}`, `final ${2n * coin}`]);
  expect(await faults()).toEqual(told);
  // As the operations guide has it: all is there, so the balance is the one to go on from.
  await db.query('UPDATE pi_accounts SET agreed_ledger = NULL, agreed_units = NULL');
  await rounds(1);
  expect(await faults()).toEqual([]);
});

test('a balance that is another one each time costs a request a round, and takes nothing', async () => {
  let told = 0n;
  tellMore(horizon, () => ++told);
  const before = horizon.requests.length;
  await rounds(40);
  expect(horizon.requests.length - before).toBeLessThan(40 * 6);
  expect(reading.transfers).toEqual([]);
});

test('of two Horizons the one with a wrong balance is named, and the other one has the last word without it', async () => {
  await reading.reader.disconnect();
  reading = await openReading(db, world, { pi: { horizonUrls: [horizon.url, second.url] }, isBegun: false });
  await reading.restart();
  tellMore(horizon, () => coin);
  pay(coin);
  await rounds(3);
  const { name } = reading.horizons.report()[0]!;
  expect(await faults()).toEqual([{ code: 'out_of_balance', message: expect.stringContaining(name) }]);
  horizon.faults.add({ kind: 'error', ...always, path: /^\/$/ });
  await rounds(2);
  expect(await faults()).toEqual([]);
  expect(standing(reading)).toEqual([`final ${coin}`]);
});

test('many pages are read back a page a round, while new payments are taken', async () => {
  const operations = Array.from({ length: 90 }, () => Operation.payment({ ...toUs, amount: '0.0000001' }));
  const transact = () => horizon.transact({ from: payer, memo: payment.memo, operations });
  const missed = [transact(), ...Array.from({ length: 8 }, transact)];
  const [first, last] = [missed[0]!, missed.at(-1)!];
  pay(9n);
  const show = leaveOut(horizon, [first, last]);
  await rounds(8);
  expect(reading.transfers).toHaveLength(7 * 90 + 1);
  show();
  clock.advance(3_600);
  const found = () =>
    [first, last].map((hash) => reading.transfers.filter((each) => each.transaction === hash).length);
  for (let count = 1; count <= 5; count++) {
    pay(BigInt(count));
    await rounds(1);
    expect(standing(reading)).toContain(`final ${count}`);
    expect(found()).toEqual([90, [0, 0, 0, 80, 90][count - 1]]);
  }
  await rounds(2);
  expect(reading.transfers).toHaveLength(9 * 90 + 6);
  expect(await faults()).toEqual([]);
});
