import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startHorizon } from '../../../../test/horizon/horizon.ts';
import { openPi, openReading, type PiWorld, type Reading, standing } from '../../../../test/pi/fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { piHealth } from '../health.ts';
import { HorizonFault } from './horizon.ts';

const { db } = await testDatabase();
const world: PiWorld = await openPi();
const { horizon, clock, payer, pi } = world;
let reading: Reading;
let memo: string;

beforeEach(async () => {
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  reading = await openReading(db, world);
  ({ memo } = await reading.open());
});
afterEach(async () => {
  horizon.faults.clear();
  horizon.lagLedgers = 0;
  await reading.reader.disconnect();
});
afterAll(() => horizon.stop());

const pay = (units: bigint) => horizon.pay({ from: payer, to: pi.account, amount: units, memo });
const health = () => piHealth(db, pi, clock.now());
const polls = /payments\?cursor=\d+&order=asc/;

describe('with a second Horizon', () => {
  test('reading goes on when the first is down, behind, or another network’s', async () => {
    const second = await startHorizon({ core: horizon.core });
    const two = await openReading(db, world, {
      pi: { horizonUrls: [horizon.url, second.url] },
      isBegun: false,
    });
    await two.restart();
    await two.tick();
    pay(1n);
    horizon.faults.add({ kind: 'error', times: 3 });
    await two.tick();
    expect(standing(two)).toEqual(['final 1']);
    horizon.faults.clear();
    clock.advance(120);
    pay(2n);
    await two.tick();
    horizon.lagLedgers = 50;
    pay(3n);
    clock.advance(1);
    await two.tick();
    expect(standing(two)).toEqual(['final 1', 'final 2', 'final 3']);
    horizon.lagLedgers = 0;
    const root = (passphrase: string) => ({
      kind: 'rewrite' as const,
      rewrite: (body: unknown) => ({ ...(body as object), network_passphrase: passphrase }),
      path: /^\/$/,
      times: 1_000,
    });
    clock.advance(120);
    await two.tick();
    clock.advance(120);
    horizon.faults.add(root('Another Net'));
    pay(4n);
    const reads = () => horizon.requests.filter((each) => polls.test(each)).length;
    const before = reads();
    await two.tick();
    expect(standing(two)).toHaveLength(4);
    expect(reads()).toBe(before);
    expect((await health()).faults).toMatchObject([
      { code: 'wrong_chain', message: expect.stringContaining('Another Net') },
    ]);
    await two.reader.disconnect();
    await second.stop();
  });

  test('one that is behind is read all the same when there is no better one', async () => {
    pay(1n);
    horizon.lagLedgers = 1;
    pay(2n);
    clock.advance(600);
    await reading.tick();
    expect(standing(reading)).toEqual(['final 1']);
    expect((await health()).status).toBe('behind');
    horizon.lagLedgers = 0;
    horizon.close();
    await reading.tick();
    expect(standing(reading)).toEqual(['final 1', 'final 2']);
    expect((await health()).status).toBe('up');
  });
});

test('a Horizon of another network is never read', async () => {
  const other = await startHorizon({ passphrase: 'Another Net' });
  await emptyTables(db, 'leases, pi_accounts');
  const wrong = await openReading(db, world, { pi: { horizonUrls: [other.url] } });
  await wrong.tick();
  expect(other.requests.filter((each) => each !== 'GET /')).toEqual([]);
  expect((await health()).faults.map(({ code }) => code)).toEqual(['no_endpoint', 'wrong_chain']);
  await wrong.reader.disconnect();
  await other.stop();
});

test('what may be a key in an address is never shown', async () => {
  const url = `${horizon.url.replace('//', '//user:secret-word@')}/path-with-key`;
  const wrong = await openReading(db, world, { pi: { horizonUrls: [url] }, isBegun: false });
  const fault = await wrong.horizons.use((asked) => asked.get('/')).catch((error) => error);
  expect(fault).toBeInstanceOf(HorizonFault);
  expect(JSON.stringify([fault.message, wrong.horizons.report()])).not.toMatch(/secret-word|path-with-key/);
  await wrong.reader.disconnect();
});
