import { describe, expect, test } from 'vitest';
import type { Api } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';

const to = `0x${'ab'.repeat(20)}`;
const good = { asset: 'usdc-base', amount: '10', to };
type Data = {
  id: string;
  status: string;
  items: { id: string; asset: string; available: string; most: string; held: string }[];
  moves: { from: string | null; to: string; why: string | null }[];
};

const app = await startApp();
const people = await openConsole(app);
const [owner, finance, operator] = [
  await people.as('owner'),
  await people.as('finance'),
  await people.as('operator'),
];
const business = { kind: 'business', owner: app.integrationId, mode: 'test' } as const;
await seedBalance(app.db, { ...business, asset: 'usdc-base', units: 1_000_000_000n });

const order = (body: object, by = owner, key: string = newId()) =>
  by<Data>('POST', `${people.test}/payouts`, { body, headers: { 'idempotency-key': key } });
const act = (by: Api, id: string, name: string, body: object = {}) =>
  by<Data>('POST', `${people.test}/payouts/${id}/${name}`, { body });
const settle = (settings: object, by = owner) =>
  by('PUT', `${people.test}/payout-settings`, {
    body: { enabled: true, approvals: 0, approve_above: {}, known_addresses_only: false, ...settings },
  });
async function available() {
  const { body } = await owner<Data>('GET', `${people.test}/payout-assets`);
  const found = body.data.items.find(({ asset }) => asset === 'usdc-base')!;
  return [found.available, found.most];
}
const subjects = async () =>
  (await app.db.query<{ recipient: string; subject: string }>('SELECT recipient, subject FROM emails')).rows;

test('a preview says what leaves and what is left, and orders nothing', async () => {
  const { body } = await owner('POST', `${people.test}/payouts/preview`, { body: good });
  expect(body.data).toEqual({
    ...{ asset: 'usdc-base', amount: '10', fee: '0', leaves: '10', balance_after: '990' },
    approvals_needed: 0,
  });
  expect(await available()).toEqual(['1000', '1000']);
  const dear = await owner('POST', `${people.test}/payouts/preview`, { body: { ...good, amount: '2000' } });
  expect(dear.body.error).toBe('insufficient_balance');
});

test('a payout is ordered once for each Idempotency-Key, shown with its moves, and cancelled', async () => {
  const bare = await owner('POST', `${people.test}/payouts`, { body: good });
  expect(bare.body.message).toBe('Idempotency-Key is invalid: is required');
  const key = newId();
  const { status, body } = await order(good, owner, key);
  expect([status, body.data.status]).toEqual([200, 'queued']);
  expect((await order(good, owner, key)).body.data.id).toBe(body.data.id);
  expect((await order({ ...good, to: 'nowhere' })).body.message).toMatch(/^to is invalid: /);
  const shown = await finance<Data>('GET', `${people.test}/payouts/${body.data.id}`);
  expect(shown.body.data).toMatchObject({
    ...{ to, amount: '10', requester: 'owner@example.com', asked_by_you: false, approvals: [] },
    moves: [{ from: null, to: 'queued' }],
  });
  expect((await act(finance, body.data.id, 'cancel')).body.data.status).toBe('cancelled');
  expect(await available()).toEqual(['1000', '1000']);
  const { rows } = await app.db.query<{ action: string }>(
    "SELECT action FROM audit_log WHERE subject_kind = 'payout' ORDER BY id",
  );
  expect(rows.map(({ action }) => action)).toEqual(['ordered a payout', 'cancelled a payout']);
});

describe('with approvals', () => {
  test('somebody else than who asked approves, once; they are mailed, who asked is not', async () => {
    expect((await settle({ approvals: 1, approve_above: { 'usdc-base': '5' } })).status).toBe(200);
    const small = await order({ ...good, amount: '5' });
    expect(small.body.data.status).toBe('queued');
    const { id, status } = (await order(good)).body.data;
    expect(status).toBe('awaiting_approval');
    const mails = (await subjects()).filter(({ subject }) => /payout waits for approval$/.test(subject));
    expect(mails.map(({ recipient }) => recipient)).toEqual(['finance@example.com']);
    expect((await act(owner, id, 'approve')).body.error).toBe('own_payout');
    const approved = await act(finance, id, 'approve');
    expect(approved.body.data).toMatchObject({
      ...{ status: 'queued', approved_by_you: true, approvals_left: { merchant: 0, operator: 0 } },
      approvals: [{ by: 'finance@example.com' }],
    });
    expect((await act(finance, id, 'approve')).body.error).toBe('not_approvable');
  });

  test('a rejection gives the money back and says why', async () => {
    const before = await available();
    const { id } = (await order(good)).body.data;
    expect((await act(finance, id, 'reject', {})).body.message).toBe('reason is invalid: is required');
    const rejected = await act(finance, id, 'reject', { reason: 'Nobody knows this address' });
    expect(rejected.body.data).toMatchObject({ status: 'rejected', failure: 'Nobody knows this address' });
    expect(await available()).toEqual(before);
  });

  test('settings and departures that leave too few approvers are refused', async () => {
    const two = await settle({ approvals: 2 });
    expect([two.status, two.body.error]).toEqual([409, 'too_few_approvers']);
    expect((await settle({}, finance)).body.error).toBe('role_may_not');
    const account = people.accountId('finance');
    const left = await owner('DELETE', `${people.merchant}/members/${account}`);
    expect(left.body.error).toBe('too_few_approvers');
    const role = { body: { role: 'support' } };
    const changed = await owner('PATCH', `${people.merchant}/members/${account}`, role);
    expect(changed.body.error).toBe('too_few_approvers');
    const gone = await finance('DELETE', `/console/account/merchants/${people.merchantId}`);
    expect(gone.body.error).toBe('too_few_approvers');
    expect((await settle({})).status).toBe(200);
  });
});

test('an address rests for a day, everybody who pays out is mailed, and any of them stops it', async () => {
  await settle({ known_addresses_only: true });
  expect((await order(good)).body.error).toBe('address_unknown');
  const entry = { asset: 'usdc-base', to, label: 'Our exchange' };
  const added = await owner<Data>('POST', `${people.test}/payout-addresses`, { body: entry });
  expect(added.body.data).toMatchObject({
    address: to,
    label: 'Our exchange',
    added_by: 'owner@example.com',
  });
  const mails = (await subjects()).filter(({ subject }) => /address was added/.test(subject));
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([
    'finance@example.com',
    'owner@example.com',
  ]);
  expect((await order(good)).body.error).toBe('address_rests');
  await app.db.query("UPDATE payout_addresses SET usable_at = now() - interval '1 minute'");
  expect((await order(good)).status).toBe(200);
  const stop = await finance('DELETE', `${people.test}/payout-addresses/${added.body.data.id}`);
  expect(stop.status).toBe(200);
  expect((await order(good)).body.error).toBe('address_unknown');
  await settle({});
});

test('only people who may pay out make and roll keys that may', async () => {
  const developer = await people.as('developer');
  const body = { name: 'Payroll', actions: ['make payouts'] };
  const refused = await developer('POST', `${people.test}/keys`, { body });
  expect(refused.body.message).toBe('Your role may not make payouts');
  const { id } = (await owner<Data>('POST', `${people.test}/keys`, { body })).body.data;
  const roll = { body: { overlap_days: 0 } };
  expect((await developer('POST', `${people.test}/keys/${id}/roll`, roll)).body.error).toBe('role_may_not');
  expect((await owner('POST', `${people.test}/keys/${id}/roll`, roll)).status).toBe(200);
});

describe('operators', () => {
  const at = '/console/operator';
  test('set what a payout costs, and approve what is above their amount', async () => {
    const terms = { fee: '0.5', minimum: '1', daily_limit: '', approve_above: '50' };
    const set = await operator('PUT', `${at}/payout-terms/usdc-base`, { body: terms });
    expect(set.body.data).toMatchObject({ fee: '0.5', minimum: '1', daily_limit: null, approve_above: '50' });
    const long = await operator('PUT', `${at}/payout-terms/usdc-base`, {
      body: { ...terms, fee: '0.1234567' },
    });
    expect(long.body.message).toBe('fee is invalid: must be a decimal number with at most 6 decimals');
    const { id } = (await order({ ...good, amount: '60' })).body.data;
    expect((await act(finance, id, 'approve')).status).toBe(200);
    const queue = await operator<Data>('GET', `${at}/payouts`);
    expect(queue.body.data.items).toMatchObject([{ id, mode: 'test', fee: '0.5' }]);
    const approved = await operator<Data>('POST', `${at}/payouts/${id}/approve`, { body: {} });
    expect(approved.body.data.status).toBe('queued');
    const failed = await operator<Data>('POST', `${at}/payouts/${id}/fail`, { body: { reason: 'Fraud' } });
    expect(failed.body.data).toMatchObject({ status: 'failed', failure: 'Fraud' });
    const shown = await operator<Data>('GET', `${at}/payouts/${id}`);
    expect(shown.body.data.moves.map((move) => move.to)).toEqual(['awaiting_approval', 'queued', 'failed']);
  });

  test('stop every payout for a reason, and let them continue', async () => {
    const stopped = await operator('POST', `${at}/payout-stop`, { body: { reason: 'A key was lost' } });
    expect(stopped.body.data).toMatchObject({ reason: 'A key was lost', by: 'operator@example.com' });
    expect((await order(good)).body.error).toBe('payouts_stopped');
    const { body } = await owner('GET', `${people.test}/payout-assets`);
    expect(body.data).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ why: 'the operator has stopped payouts' })]),
    });
    expect((await operator('DELETE', `${at}/payout-stop`)).status).toBe(200);
    expect((await order(good)).status).toBe(200);
  });
});
