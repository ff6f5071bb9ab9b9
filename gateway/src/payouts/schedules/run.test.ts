import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';

const to = `0x${'cd'.repeat(20)}`;
const slow = { timeout: 120_000 };
type Schedule = {
  id: string;
  next_at: string | null;
  last_payout_id: string | null;
  last_skip: string | null;
};

const app = await startApp();
const people = await openConsole(app);
const [owner, finance] = [await people.as('owner'), await people.as('finance')];
await app.api('POST', '/test/top-ups', { body: { asset: 'usdc-base', amount: '100' } });

const at = (path: string) => `${people.test}${path}`;
const advance = async (days: number) => {
  const { status } = await app.api('POST', '/test/clock/advance', { body: { seconds: days * 24 * 3600 } });
  expect(status).toBe(200);
};
const only = async () =>
  (await owner<{ items: Schedule[] }>('GET', at('/payout-schedules'))).body.data.items[0]!;
const amounts = async () => {
  const { rows } = await app.db.query<{ units: bigint; status: string }>(
    'SELECT units, status FROM payouts ORDER BY id',
  );
  return rows.map(({ units }) => units);
};

test('pays out what is above the amount up to its ceiling once it is approved, and says why it does not', async () => {
  await owner('PUT', at('/payout-settings'), {
    body: { enabled: true, approvals: 1, approve_above: {}, known_addresses_only: false },
  });
  const entry = { asset: 'usdc-base', to, label: 'The bank' };
  const book = await owner<{ id: string }>('POST', at('/payout-addresses'), { body: entry });
  const body = { asset: 'usdc-base', keep: '30', most: '50', every: 'day', address: book.body.data.id };
  const zero = await owner('POST', at('/payout-schedules'), { body: { ...body, most: '0' } });
  expect(zero.body.message).toBe('most is invalid: must be a positive number with at most 6 decimals');
  const made = await owner<Schedule>('POST', at('/payout-schedules'), { body });
  expect(made.body.data).toMatchObject({ next_at: null, approvals_needed: 1, asked_by_you: true });
  expect((await owner('POST', at('/payout-schedules'), { body })).body.error).toBe('schedule_exists');
  const path = at(`/payout-schedules/${made.body.data.id}`);
  expect((await owner('POST', `${path}/approve`, { body: {} })).body.error).toBe('own_payout');
  const approved = await finance<Schedule>('POST', `${path}/approve`, { body: {} });
  expect(approved.body.data).toMatchObject({
    next_at: expect.stringMatching(/^20.*T00:00:00/),
    approved_by: ['finance@example.com'],
  });
  // A new address rests for a day.
  await advance(2);
  await expect.poll(only, slow).toMatchObject({ last_payout_id: expect.any(String), last_skip: null });
  await advance(1);
  await expect.poll(async () => (await amounts()).length, slow).toBe(2);
  expect(await amounts()).toEqual([50_000_000n, 20_000_000n]);
  await advance(1);
  await expect.poll(only, slow).toMatchObject({ last_skip: 'The balance had too little above what stays' });
  await finance('DELETE', at(`/payout-addresses/${book.body.data.id}`));
  await app.api('POST', '/test/top-ups', { body: { asset: 'usdc-base', amount: '100' } });
  await advance(1);
  await expect.poll(only, slow).toMatchObject({ last_skip: 'Address is not in the address book' });
  const { rows } = await app.db.query(
    "SELECT FROM emails WHERE subject LIKE '%scheduled payout was skipped'",
  );
  expect(rows).toHaveLength(2);
  expect((await finance('DELETE', path)).status).toBe(200);
  expect(await only()).toBeUndefined();
}, 900_000);
