import { beforeEach, describe, expect, test } from 'vitest';
import {
  ageSessions,
  createVisitor,
  goodPassword,
  seedAccount,
  signedIn,
  type Visitor,
  waitingMails,
} from '../../../test/support/identity-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import type { AccountId } from '../accounts/accounts.ts';
import { addMember, createMerchant, type MerchantId } from '../merchants/merchants.ts';

let person: { id: AccountId; email: string };
let visitor: Visitor;
const app = await startApp();
beforeEach(async () => {
  person = await seedAccount(app.db, { name: 'Ada Lovelace' });
  visitor = await signedIn(app.baseUrl, person.email);
});

const close = () => visitor.send('DELETE', '/account');

async function merchantOf(ownerId: AccountId): Promise<MerchantId> {
  return await transaction(app.db, (tx) => createMerchant(tx, { name: 'Corner shops', ownerId }, new Date()));
}

const join = (merchantId: MerchantId, accountId: AccountId, role: 'owner' | 'support') =>
  transaction(app.db, (tx) => addMember(tx, { merchantId, accountId, role }, new Date()));

/** Every table in which a text occurs, in whichever column. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await app.db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const found = [];
  for (const { name } of rows) {
    const { rowCount } = await app.db.query(
      `SELECT FROM "${name}" t WHERE position(lower($1) IN lower(t::text)) > 0 LIMIT 1`,
      [text],
    );
    if (rowCount !== 0) found.push(name);
  }
  return found.sort();
}

test('who closes their account is signed out, cannot sign in again, and is named nowhere', async () => {
  const other = await seedAccount(app.db);
  await join(await merchantOf(other.id), person.id, 'support');
  await visitor.send('POST', '/account/name', { name: 'Ada King' });
  expect((await tablesWith(person.email)).length).toBeGreaterThan(0);
  expect(await close()).toMatchObject({ status: 200, message: 'Account closed' });
  expect(visitor.cookies.size).toBe(0);
  const credentials = { email: person.email, password: goodPassword };
  expect(await createVisitor(app.baseUrl).send('POST', '/auth/sign-in', credentials)).toMatchObject({
    status: 401,
    error: 'sign_in_wrong',
  });
  // The mail that says so is all that is left, until it is sent and forgotten.
  expect((await waitingMails(app.db, person.email)).map(({ subject }) => subject)).toEqual([
    'Your account was closed',
  ]);
  expect(await tablesWith(person.email)).toEqual(['emails']);
  expect(await tablesWith('Ada King')).toEqual(['audit_log']);
  const { rows } = await app.db.query(
    `SELECT actor_id, actor_name, action FROM audit_log WHERE actor_id = $1 ORDER BY id DESC LIMIT 2`,
    [person.id],
  );
  expect(rows).toEqual([
    { actor_id: person.id, actor_name: '', action: 'closed the account' },
    { actor_id: person.id, actor_name: '', action: 'left the business, as the account was closed' },
  ]);
});

test('the address is free for a new account', async () => {
  await close();
  const fresh = createVisitor(app.baseUrl);
  const body = { name: 'Ada', email: person.email, password: goodPassword };
  expect(await fresh.send('POST', '/auth/sign-up', body)).toMatchObject({ status: 200 });
});

test('it asks for a fresh sign-in', async () => {
  await ageSessions(app.db, person.id, 1500);
  expect(await close()).toMatchObject({ status: 403, error: 'fresh_sign_in' });
});

describe('the only owner of a business', () => {
  const refusal = { status: 409, error: 'last_owner' };

  test('hands over first where others belong to it', async () => {
    const merchantId = await merchantOf(person.id);
    const other = await seedAccount(app.db);
    await join(merchantId, other.id, 'support');
    expect(await close()).toMatchObject(refusal);
    await app.db.query(`UPDATE members SET role = 'owner' WHERE account_id = $1`, [other.id]);
    expect(await close()).toMatchObject({ status: 200 });
  });

  test('hands over first where it has live mode, and leaves one behind that was only tried', async () => {
    const merchantId = await merchantOf(person.id);
    await app.db.query(`UPDATE integrations SET merchant_id = $1, approval = 'approved' WHERE id = $2`, [
      merchantId,
      app.integrationId,
    ]);
    await app.db.query('UPDATE accounts SET is_demo = true WHERE id = $1', [person.id]);
    expect(await close()).toMatchObject(refusal);
    await app.db.query(`UPDATE integrations SET approval = 'none'`);
    expect(await close()).toMatchObject({ status: 200 });
  });
});

describe('an operator', () => {
  let operator: { id: AccountId; email: string };
  let desk: Visitor;
  beforeEach(async () => {
    await app.db.query('UPDATE accounts SET is_operator = false');
    operator = await seedAccount(app.db, { isOperator: true, isDemo: true });
    desk = await signedIn(app.baseUrl, operator.email);
  });
  const closeOther = (id: string) => desk.send('DELETE', `/operator/accounts/${id}`);

  test('closes the account of somebody else, and the list no longer has it', async () => {
    expect(await closeOther(person.id)).toMatchObject({ status: 200 });
    expect(await visitor.get('/account')).toMatchObject({ status: 401 });
    expect((await desk.get(`/operator/accounts?search=${person.email}`)).data!.items).toEqual([]);
    expect(await closeOther(person.id)).toMatchObject({ status: 404 });
    const { items } = (await desk.get('/operator/audit?limit=1')).data as { items: object[] };
    expect(items).toMatchObject([{ action: 'closed an account', actor: { name: operator.email } }]);
  });

  test('does not close that of another operator, and the last one stays', async () => {
    await app.db.query('UPDATE accounts SET is_operator = true, is_demo = true WHERE id = $1', [person.id]);
    expect(await closeOther(person.id)).toMatchObject({ status: 409, error: 'operator_closes' });
    expect(await desk.send('DELETE', '/account')).toMatchObject({ status: 200 });
    expect(await close()).toMatchObject({ status: 409, error: 'operator_last' });
  });
});
