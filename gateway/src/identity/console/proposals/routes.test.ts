import { beforeEach, describe, expect, test } from 'vitest';
import {
  ageSessions,
  seedAccount,
  signedIn,
  type Visitor,
} from '../../../../test/support/identity-fixtures.ts';
import { startApp } from '../../../../test/support/running.ts';
import { newId } from '../../../kit/ids.ts';

const app = await startApp();
const people: { id: string; email: string }[] = [];
const [first, second] = [await operator(), await operator()];
beforeEach(async () => {
  await app.db.query(`UPDATE proposals SET state = 'cancelled', ended_at = now() WHERE state = 'open'`);
  await app.db.query(`UPDATE integrations SET fee = '{"bps": 100}', approval = 'none'`);
});

/** An operator who is signed in and has shown a second factor. */
async function operator(): Promise<Visitor> {
  const account = await seedAccount(app.db, { isOperator: true });
  people.push(account);
  const visitor = await signedIn(app.baseUrl, account.email);
  await app.db.query(
    `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, device_type, backed_up)
     VALUES ($1::uuid, $2, $1::uuid::text, '', 0, 'singleDevice', false)`,
    [newId(), account.id],
  );
  await app.db.query(
    'UPDATE sessions SET has_second_factor = true, factor_at = now() WHERE account_id = $1',
    [account.id],
  );
  return visitor;
}

type Kept = { proposal: { id: string } };
const feeOf = async () =>
  (await app.db.query<{ fee: { bps: number } }>('SELECT fee FROM integrations')).rows[0]!.fee.bps;
const askFee = (who = first, bps = 250, headers = {}) =>
  who.send('PUT', `/operator/integrations/${app.integrationId}/fee`, { bps }, headers);
async function askedFee(): Promise<string> {
  const { status, data } = await askFee();
  expect(status).toBe(202);
  return (data as Kept).proposal.id;
}
const end = (who: Visitor, id: string, how: 'confirm' | 'refuse' | 'cancel', body = {}) =>
  who.send('POST', `/operator/proposals/${id}/${how}`, body);

describe('a fee that one operator changes', () => {
  test('waits for the other one, who sees who asked for what, and confirms it', async () => {
    const id = await askedFee();
    expect(await feeOf()).toBe(100);
    const { data } = await second.get('/operator/proposals');
    expect(data!.items).toMatchObject([
      {
        id,
        title: 'Change the fee of an integration',
        integration: { id: app.integrationId },
        before: { bps: 100 },
        after: { bps: 250 },
        asked_by: { email: people[0]!.email },
        is_own: false,
        due_at: null,
        state: 'open',
      },
    ]);
    expect(await end(second, id, 'confirm')).toMatchObject({
      status: 200,
      data: { state: 'done', ended_by: { email: people[1]!.email } },
    });
    expect(await feeOf()).toBe(250);
    const entries = await app.db.query(
      `SELECT actor_id, action FROM audit_log WHERE integration_id = $1 ORDER BY id DESC LIMIT 2`,
      [app.integrationId],
    );
    expect(entries.rows).toEqual([
      { actor_id: people[1]!.id, action: 'changed the fee' },
      { actor_id: people[0]!.id, action: 'asked for an act' },
    ]);
  });

  test('is not confirmed by who asked, nor twice, nor without a fresh sign-in', async () => {
    const id = await askedFee();
    expect(await end(first, id, 'confirm')).toMatchObject({ status: 403, error: 'proposal_own' });
    await ageSessions(app.db, people[1]!.id, 1500);
    expect(await end(second, id, 'confirm')).toMatchObject({ status: 403, error: 'fresh_sign_in' });
    await ageSessions(app.db, people[1]!.id, -1500);
    const both = await Promise.all([end(second, id, 'confirm'), end(second, id, 'confirm')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is refused by the other one for a reason, or cancelled by who asked alone', async () => {
    const refused = await askedFee();
    expect(await end(second, refused, 'refuse', { why: 'Too much' })).toMatchObject({
      data: { state: 'refused', why: 'Too much' },
    });
    const cancelled = await askedFee();
    expect(await end(second, cancelled, 'cancel')).toMatchObject({ status: 403, error: 'proposal_of_other' });
    expect(await end(first, cancelled, 'cancel')).toMatchObject({ data: { state: 'cancelled' } });
    expect(await end(second, cancelled, 'confirm')).toMatchObject({ status: 409, error: 'proposal_over' });
    expect(await feeOf()).toBe(100);
  });

  test('is asked for once with one Idempotency-Key, and its answer is the same again', async () => {
    const headers = { 'idempotency-key': newId() };
    const one = await askFee(first, 250, headers);
    const two = await askFee(first, 250, headers);
    expect([two.status, two.data]).toEqual([202, one.data]);
    expect(await askFee(first, 300)).toMatchObject({ status: 409, error: 'proposal_open' });
  });

  test('that is wrong is refused at once', async () => {
    expect(await askFee(first, 10_001)).toMatchObject({ status: 400 });
    const path = `/operator/integrations/${newId()}/fee`;
    expect(await first.send('PUT', path, { bps: 1 })).toMatchObject({ status: 404 });
  });
});

describe('live mode', () => {
  const decide = (act: string, body = {}) =>
    first.send('POST', `/operator/integrations/${app.integrationId}/${act}`, body);

  test('is approved by two, and suspended by one', async () => {
    const { status, data } = await decide('approve');
    expect(status).toBe(202);
    expect(await end(second, (data as Kept).proposal.id, 'confirm')).toMatchObject({ status: 200 });
    expect(await decide('suspend', { reason: 'Fraud' })).toMatchObject({
      status: 200,
      data: { approval: 'suspended' },
    });
    expect(await decide('resume')).toMatchObject({ status: 202 });
  });
});

describe('operator rights', () => {
  const setOperator = (who: Visitor, id: string, is_operator: boolean) =>
    who.send('PUT', `/operator/accounts/${id}/operator`, { is_operator });

  test('are given and taken by two, and given up by one', async () => {
    const third = await seedAccount(app.db);
    const given = await setOperator(first, third.id, true);
    expect(given.status).toBe(202);
    expect(await setOperator(first, people[1]!.id, false)).toMatchObject({ status: 202 });
    await end(second, (given.data as Kept).proposal.id, 'confirm');
    const { rows } = await app.db.query('SELECT is_operator FROM accounts WHERE id = $1', [third.id]);
    expect(rows).toEqual([{ is_operator: true }]);

    const leaving = await operator();
    expect(await setOperator(leaving, people.at(-1)!.id, false)).toMatchObject({ status: 200 });
    expect(await leaving.get('/operator/proposals')).toMatchObject({ status: 403 });
  });

  test('that were lost since end what was asked with them', async () => {
    const id = await askedFee();
    await app.db.query('UPDATE accounts SET is_operator = false WHERE id = $1', [people[0]!.id]);
    expect(await end(second, id, 'confirm')).toMatchObject({ status: 409, error: 'proposal_void' });
    await app.db.query('UPDATE accounts SET is_operator = true WHERE id = $1', [people[0]!.id]);
  });
});

test('withdrawing fees asks for an Idempotency-Key before anything else', async () => {
  expect(await first.send('POST', '/operator/fee-withdrawals', {})).toMatchObject({ status: 400 });
});
