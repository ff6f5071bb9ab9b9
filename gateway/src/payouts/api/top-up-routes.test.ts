import { beforeEach, expect, test } from 'vitest';
import { openPayoutDesk } from '../../../test/payouts/desk.ts';
import { testDatabase } from '../../../test/support/database.ts';

const { db } = await testDatabase();
const desk = openPayoutDesk(db);
let live: string;
beforeEach(async () => {
  live = await desk.keyFor({}, 'live');
});

const path = '/top-up-addresses';
const make = (asset?: string, by?: string) =>
  desk.call('POST', path, asset === undefined ? {} : { asset }, by);

test('an address for topping up is made once for each asset, and listed', async () => {
  await db.query("UPDATE integrations SET approval = 'approved' WHERE id = $1", [desk.shop().integrationId]);
  const address = {
    asset: 'usdc-base',
    network: 'Base',
    address: `0x${desk.shop().integrationId}`,
    memo: null,
  };
  expect((await desk.call('GET', path, undefined, live)).data).toEqual({ items: [], next_cursor: null });
  for (let count = 0; count < 2; count += 1) {
    expect(await make('usdc-base', live)).toMatchObject({ status: 200, data: address });
  }
  expect((await desk.call('GET', path, undefined, live)).data.items).toEqual([address]);
  expect(await make('usdc-polygon', live)).toMatchObject({ status: 400, message: 'Asset not supported' });
  expect(await make(undefined, live)).toMatchObject({ status: 400, message: 'Asset is required' });
  // What was refused is not listed.
  expect((await desk.call('GET', path, undefined, live)).data.items).toHaveLength(1);
});

test('live addresses are for approved integrations, and for keys that may make payouts', async () => {
  expect(await make('usdc-base', live)).toMatchObject({
    status: 403,
    message: 'Integration is not yet approved',
  });
  const other = await desk.keyFor({ actions: ['read payments'] });
  expect(await make('usdc-base', other)).toMatchObject({
    status: 403,
    message: 'This key may not make payouts',
  });
});

test('in test mode an address stands for the call that gives test money', async () => {
  const { data } = await make('pi');
  expect(data).toMatchObject({ asset: 'pi', address: `test_${desk.shop().integrationId}` });
  expect((await desk.call('GET', path)).data.items).toEqual([data]);
});
