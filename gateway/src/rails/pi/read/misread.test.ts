import pino from 'pino';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { type Horizon, startHorizon } from '../../../../test/horizon/horizon.ts';
import { coin, openPi, openReading, type Reading } from '../../../../test/pi/fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { piHealth } from '../health.ts';

// What one Horizon of two told with a wrong amount.

const logged: { msg: string }[] = [];
const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) });
const { db } = await testDatabase();
const world = await openPi();
const { horizon, clock, payer, pi } = world;
const second = await startHorizon({ core: horizon.core, closeMs: null });
let reading: Reading;
let memo: string;

beforeEach(async () => {
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  logged.length = 0;
  reading = await openReading(db, world, { log, pi: { horizonUrls: [horizon.url, second.url] } });
  ({ memo } = await reading.open());
});
afterEach(async () => {
  horizon.faults.clear();
  await reading.reader.disconnect();
});
afterAll(async () => {
  await horizon.stop();
  await second.stop();
});

const always = { times: Number.POSITIVE_INFINITY };
const lists = /\/(payments|operations)\?/;
const pay = (units: bigint) => horizon.pay({ from: payer, to: pi.account, amount: units, memo });
const faults = async () => (await piHealth(db, pi, clock.now())).faults;

/** As time passes, rounds are made; the network has its ledgers. */
async function rounds(count: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    clock.advance(15);
    horizon.close();
    await reading.tick();
  }
}

/** A Horizon says in all lists that a transaction moved 9 PI. */
function tellNine(from: Horizon, hash: string): () => void {
  const rewrite = (body: unknown) => {
    const page = structuredClone(body) as { _embedded: { records: Record<string, unknown>[] } };
    for (const record of page._embedded.records) {
      if (record.transaction_hash === hash) record.amount = '9.0000000';
    }
    return page;
  };
  return from.faults.add({ kind: 'rewrite', path: lists, rewrite, ...always });
}
const booked = () => reading.transfers.map(({ state, units }) => `${state} ${units / coin}`);

test('a movement that was read with another amount is reversed, and booked as it is', async () => {
  const told = tellNine(horizon, pay(5n * coin));
  await rounds(1);
  told();
  await rounds(8);
  expect(booked()).toEqual(['final 9', 'gone 9', 'final 5']);
  expect(await faults()).toEqual([]);
  expect(logged.map(({ msg }) => msg)).toContain(
    'a movement of PI was read wrong; it is reversed, and booked as it is',
  );
});

test('as long as two Horizons tell another amount nothing is reversed, and operators see both', async () => {
  const told = tellNine(horizon, pay(5n * coin));
  await rounds(6);
  expect(booked()).toEqual(['final 9']);
  expect(await faults()).toMatchObject([{ code: 'out_of_balance' }]);
  expect(logged).toContainEqual(
    expect.objectContaining({
      msg: 'a Horizon shows a movement of PI in another way than it is noted',
      units: `${5n * coin}`,
      told: `${9n * coin}`,
    }),
  );
  told();
});
