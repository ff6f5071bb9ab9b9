import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import type { TopUpPage } from './console-answers.ts';

const app = await startApp({ seed: { approved: true } });
const people = await openConsole(app);

test('the dashboard lists addresses for topping up, and makes one for an asset that has none', async () => {
  const finance = await people.as('finance');
  const path = `${people.test}/top-up-addresses`;
  const read = async () => (await finance<TopUpPage>('GET', path)).body.data;
  const before = await read();
  expect(before.items).toEqual([]);
  expect(before.offered).toContain('usdc-base');

  const address = { asset: 'usdc-base', network: 'Base', address: `test_${app.integrationId}`, memo: null };
  for (let count = 0; count < 2; count += 1) {
    const made = await finance('POST', path, { body: { asset: 'usdc-base' } });
    expect(made).toMatchObject({ status: 200, body: { data: address } });
  }
  expect(await read()).toEqual({
    items: [{ ...address, is_readable: true }],
    offered: before.offered.filter((asset) => asset !== 'usdc-base'),
  });
  // The same as servers get.
  expect((await finance('POST', path, { body: {} })).body.message).toBe('Asset is required');
  const { rows } = await app.db.query(
    "SELECT DISTINCT after->>'address' AS address FROM audit_log WHERE action = 'asked for a top-up address'",
  );
  expect(rows).toEqual([{ address: address.address }]);
});

test('in live mode it offers what a network of the installation takes, which is nothing here', async () => {
  const owner = await people.as('owner');
  const path = `${people.live}/top-up-addresses`;
  expect((await owner<TopUpPage>('GET', path)).body.data).toEqual({ items: [], offered: [] });
  const refused = await owner('POST', path, { body: { asset: 'usdc-base' } });
  expect(refused).toMatchObject({ status: 400, body: { message: 'Asset not supported' } });
});

test('members who may not pay out see the addresses, and make none', async () => {
  const support = await people.as('support');
  const path = `${people.test}/top-up-addresses`;
  expect((await support('GET', path)).status).toBe(200);
  expect((await support('POST', path, { body: { asset: 'usdc-bep20' } })).status).toBe(403);
});
