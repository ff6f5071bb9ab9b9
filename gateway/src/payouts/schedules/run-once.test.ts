import { beforeEach, expect, test } from 'vitest';
import { seedMembers } from '../../../test/payouts/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { openShop, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { addAddress } from '../rules/addresses.ts';
import { changePayoutSettings } from '../rules/settings.ts';
import { stopPayouts } from '../rules/stop.ts';
import { setPayoutTerms } from '../rules/terms.ts';
import { runDueSchedules } from './run.ts';
import { addSchedule, type Schedule } from './schedule.ts';

const { db } = await testDatabase();
const asset = 'usdc-base';
const day = 24 * 3600;

let shop: Shop;
let schedule: Schedule;

beforeEach(async () => {
  await db.query('DELETE FROM payout_stop');
  shop = await openShop(db);
  const { owner, clock } = shop;
  const business = { kind: 'business', owner: owner.integrationId, mode: 'test' } as const;
  await seedBalance(db, { ...business, asset, units: 1_000_000_000n }, clock.now());
  const [ann = ''] = await seedMembers(db, owner.integrationId, 1, clock.now());
  schedule = await write(shop, async (tx) => {
    const settings = { enabled: true, approvals: 0, approveAbove: {}, knownAddressesOnly: false } as const;
    await changePayoutSettings(tx, owner, settings, clock.now());
    const place = { address: `0x${'cd'.repeat(20)}`, memo: null, label: 'The bank', by: 'Ann' };
    const { id: addressId } = await addAddress(tx, owner, place, clock.now());
    const terms = { asset, keep: 0n, most: 1_000_000n, every: 'day', addressId } as const;
    const by = { requestedBy: ann, requester: 'Ann', approvalsNeeded: 0 };
    const times = { now: clock.now(), ownTime: clock.now() };
    return await addSchedule(tx, owner, { ...terms, ...by }, times);
  });
  clock.advance(2 * day);
});

const run = () => runDueSchedules(db, { ...shop.deps, baseUrl: 'http://localhost' });
const payouts = async () =>
  (await db.query('SELECT FROM payouts WHERE debit_owner = $1', [shop.owner.integrationId])).rows.length;
/** As a test clock, or a hand in the database, leaves it: the program reads whole milliseconds. */
const addMicroseconds = () =>
  db.query("UPDATE payout_schedules SET next_at = next_at + interval '123 microseconds' WHERE id = $1", [
    schedule.id,
  ]);

test('a time of a schedule with microseconds is paid once', async () => {
  await addMicroseconds();
  expect(await run()).toBe(1);
  expect(await payouts()).toBe(1);
  expect(await run()).toBe(0);
});

test('and is skipped once, with one mail', async () => {
  await addMicroseconds();
  await write(shop, (tx) => stopPayouts(tx, { reason: 'Audit', by: 'Ann', at: shop.clock.now() }));
  expect(await run()).toBe(1);
  const { rows } = await db.query(
    'SELECT next_at > $2 AS is_later, last_skip FROM payout_schedules WHERE id = $1',
    [schedule.id, shop.clock.now()],
  );
  expect(rows).toEqual([{ is_later: true, last_skip: 'Payouts are stopped' }]);
});

test('a schedule that pays all there is leaves room for the fee', async () => {
  const terms = { fee: 2n, minimum: 0n, dailyLimit: null, approveAbove: null };
  await write(shop, (tx) => setPayoutTerms(tx, asset, terms, shop.clock.now()));
  await db.query('UPDATE payout_schedules SET most = 2000000000 WHERE id = $1', [schedule.id]);
  expect(await run()).toBe(1);
  const { rows } = await db.query('SELECT units, fee FROM payouts WHERE debit_owner = $1', [
    shop.owner.integrationId,
  ]);
  expect(rows).toEqual([{ units: 999_999_998n, fee: 2n }]);
  await write(shop, (tx) => setPayoutTerms(tx, asset, { ...terms, fee: 0n }, shop.clock.now()));
});

test('many processes pay one time once', async () => {
  const done = await Promise.all([run(), run(), run(), run()]);
  expect(done.reduce((sum, each) => sum + each, 0)).toBe(1);
  expect(await payouts()).toBe(1);
});
