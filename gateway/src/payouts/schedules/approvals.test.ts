import { beforeAll, expect, test } from 'vitest';
import type { Api } from '../../../test/support/api.ts';
import { type OpenConsole, openConsole } from '../../../test/support/console.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';
import type { HeldItem } from '../../identity/console/answers/team.ts';
import type { PayoutView } from '../payout/payout.ts';

const slow = { timeout: 120_000 };
type Schedule = {
  id: string;
  approvals_needed: number;
  last_payout_id: string | null;
  last_skip: string | null;
};

let app: RunningApp;
let people: OpenConsole;
let owner: Api;
let finance: Api;
let address: string;

beforeAll(async () => {
  app = await startApp();
  people = await openConsole(app);
  await people.as('finance');
  // A second one beside the first, who stays a member.
  await people.renew('finance');
  [owner, finance] = [await people.as('owner'), await people.as('finance')];
  await app.api('POST', '/test/top-ups', { body: { asset: 'usdc-base', amount: '1000' } });
  const entry = { asset: 'usdc-base', to: `0x${'cd'.repeat(20)}`, label: 'The bank' };
  address = (await owner<{ id: string }>('POST', at('/payout-addresses'), { body: entry })).body.data.id;
  // A new address rests for a day.
  await nextDay();
});

const at = (path: string) => `${people.test}${path}`;
const nextDay = () => app.api('POST', '/test/clock/advance', { body: { seconds: 24 * 3600 } });
const ask = async (approvals: number, above = '0') => {
  const approve_above = { 'usdc-base': above };
  const body = { enabled: true, approvals, approve_above, known_addresses_only: false };
  expect((await owner('PUT', at('/payout-settings'), { body })).status).toBe(200);
};
const setUp = async (client: Api): Promise<Schedule> => {
  const body = { asset: 'usdc-base', keep: '30', most: '50', every: 'day', address };
  return (await client<Schedule>('POST', at('/payout-schedules'), { body })).body.data;
};
const end = async ({ id }: Schedule) => owner('DELETE', at(`/payout-schedules/${id}`));
const only = async () =>
  (await owner<{ items: Schedule[] }>('GET', at('/payout-schedules'))).body.data.items[0]!;

/** What the next run comes to. */
async function run(): Promise<{ payout: PayoutView | null; skip: string | null }> {
  const before = await only();
  await app.db.query('UPDATE payout_schedules SET last_at = NULL WHERE id = $1', [before.id]);
  await nextDay();
  const ran = () =>
    app.db.query('SELECT FROM payout_schedules WHERE id = $1 AND last_at IS NOT NULL', [before.id]);
  await expect.poll(async () => (await ran()).rowCount, slow).toBe(1);
  const { last_payout_id: id, last_skip: skip } = await only();
  const payout = id && (await owner<PayoutView>('GET', at(`/payouts/${id}`))).body.data;
  return { payout: payout || null, skip };
}
const decide = async (client: Api, { id }: PayoutView) =>
  (await client<PayoutView>('POST', at(`/payouts/${id}/approve`), { body: {} })).body;

test('a schedule that was set up without approvals needs those that the owner asks for later, of others than its maker', async () => {
  await ask(0);
  const schedule = await setUp(finance);
  expect(schedule.approvals_needed).toBe(0);
  expect((await run()).payout).toMatchObject({ approvals_needed: 0, amount: '50' });
  await ask(2);
  const { payout } = await run();
  expect(payout).toMatchObject({ status: 'awaiting_approval', approvals_needed: 2, amount: '50' });
  expect(await decide(finance, payout!)).toMatchObject({ error: 'own_payout' });
  expect((await decide(owner, payout!)).data).toMatchObject({ status: 'awaiting_approval' });
  await ask(2, '50');
  expect((await run()).payout).toMatchObject({ approvals_needed: 0 });
  await end(schedule);
}, 300_000);

test('the approvals of a schedule count as long as they are enough, and of those who may still give them', async () => {
  await ask(1);
  const schedule = await setUp(owner);
  await finance('POST', at(`/payout-schedules/${schedule.id}/approve`), { body: {} });
  expect((await run()).payout).toMatchObject({ approvals_needed: 0 });
  await ask(2);
  expect((await run()).payout).toMatchObject({ status: 'awaiting_approval', approvals_needed: 2 });
  await ask(1);
  const member = `${people.merchant}/members/${people.accountId('finance')}`;
  expect((await owner('PATCH', member, { body: { role: 'support' } })).status).toBe(200);
  expect((await run()).payout).toMatchObject({ status: 'awaiting_approval', approvals_needed: 1 });
  await owner('PATCH', member, { body: { role: 'finance' } });
  await end(schedule);
}, 300_000);

test('what stops with a role is listed before: schedules that they set up, and those that they approved', async () => {
  await ask(1);
  const schedule = await setUp(finance);
  await owner('POST', at(`/payout-schedules/${schedule.id}/approve`), { body: {} });
  const held = async (person: 'owner' | 'finance', role: string) => {
    const path = `${people.merchant}/members/${people.accountId(person)}/held${role && `?role=${role}`}`;
    return (await owner<{ items: HeldItem[] }>('GET', path)).body.data.items;
  };
  const theirs = { kind: 'schedule', name: 'The bank', detail: 'usdc-base', mode: 'test' };
  expect(await held('finance', '')).toMatchObject([theirs]);
  expect(await held('finance', 'support')).toMatchObject([theirs]);
  expect(await held('finance', 'owner')).toEqual([]);
  expect(await held('owner', 'developer')).toMatchObject([{ ...theirs, kind: 'approval' }]);
  expect((await finance('GET', `${people.merchant}/members/${app.integrationId}/held`)).status).toBe(404);
  await end(schedule);
}, 300_000);

test('a schedule whose maker may no longer make payouts pays nothing, and the others are told', async () => {
  await ask(0);
  const schedule = await setUp(finance);
  await owner('DELETE', `${people.merchant}/members/${people.accountId('finance')}`);
  const skip = 'Who set the schedule up may no longer make payouts';
  expect(await run()).toEqual({ payout: null, skip });
  const { rows } = await app.db.query<{ recipient: string }>(
    "SELECT recipient FROM emails WHERE subject LIKE '%scheduled payout was skipped'",
  );
  expect(rows.map(({ recipient }) => recipient)).toContain('owner@example.com');
  await end(schedule);
}, 300_000);
