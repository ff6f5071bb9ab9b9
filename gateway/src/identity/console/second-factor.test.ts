import { beforeEach, describe, expect, test } from 'vitest';
import { totpCode } from '../../../test/browser/totp.ts';
import { atFileEnd } from '../../../test/suite/endings.ts';
import {
  createVisitor,
  goodPassword,
  seedAccount,
  signedIn,
  startAccountServer,
  type Visitor,
} from '../../../test/support/identity-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { AccountId } from '../accounts/accounts.ts';
import { isLocalGateway, resetFactors } from '../accounts/second-factor.ts';
import { createMerchant } from '../merchants/merchants.ts';

let operator: { id: AccountId; email: string };
let visitor: Visitor;
const app = await startApp();
beforeEach(async () => {
  operator = await seedAccount(app.db, { isOperator: true });
  visitor = await signedIn(app.baseUrl, operator.email);
});

const needed = { status: 403, error: 'second_factor_needed' };
const unshown = { status: 403, error: 'second_factor_unshown' };

type Prepared = { totp_uri: string; recovery_codes: string[] };

async function enrol(who: Visitor = visitor): Promise<Prepared> {
  const { data } = await who.send('POST', '/account/two-factor', { password: goodPassword });
  const prepared = data as Prepared;
  const body = { code: totpCode(prepared.totp_uri) };
  expect(await who.send('POST', '/account/two-factor/confirm', body)).toMatchObject({ status: 200 });
  return prepared;
}

/** Gives an account a passkey that nobody holds. */
async function seedPasskey(accountId: string): Promise<string> {
  const id = newId();
  await app.db.query(
    `INSERT INTO passkeys (id, account_id, name, credential_id, public_key, counter, device_type, backed_up, created_at)
     VALUES ($1::uuid, $2, 'Laptop', $1::uuid::text, '', 0, 'singleDevice', false, now())`,
    [id, accountId],
  );
  return id;
}

const missing = async (who: Visitor = visitor) => (await who.get('/account')).data!.missing_factor;

describe('an operator without a second factor', () => {
  test('may see that one is needed, set one up and sign out, and nothing else', async () => {
    expect((await visitor.get('/account')).data).toMatchObject({
      account: { email: operator.email },
      needs_second_factor: true,
      missing_factor: 'set up',
      merchants: [],
    });
    for (const { method, url, unproven } of app.consoleRoutes) {
      if (unproven !== null) continue;
      const path = url.replace('/console', '').replaceAll(/:\w+/g, operator.id);
      const answer = method === 'GET' ? visitor.get(path) : visitor.send(`${method}`, path, {});
      expect({ url, ...(await answer) }).toMatchObject({ url, ...needed });
    }
    const open = app.consoleRoutes.filter(({ unproven }) => unproven !== null);
    expect(open.map(({ method, url }) => `${method} ${url.replace('/console/account', '')}`).sort()).toEqual([
      'GET ',
      'POST /confirm',
      'POST /email/send-again',
      'POST /passkeys',
      'POST /passkeys/options',
      'POST /two-factor',
      'POST /two-factor/confirm',
    ]);
    expect(await visitor.send('POST', '/auth/sign-out')).toMatchObject({ status: 200 });
  });

  test('goes on in the same session once one is set up', async () => {
    await enrol();
    expect(await missing()).toBeNull();
    expect(await visitor.get('/operator/merchants')).toMatchObject({ status: 200 });
  });

  test('keeps that session over a change of the password', async () => {
    await enrol();
    const body = { current_password: goodPassword, new_password: 'another horse entirely' };
    expect(await visitor.send('POST', '/account/password', body)).toMatchObject({ status: 200 });
    expect(await missing()).toBeNull();
  });

  test('is asked for it in sessions from before, where a code is enough', async () => {
    const earlier = await signedIn(app.baseUrl, operator.email);
    const { totp_uri } = await enrol();
    expect(await missing(earlier)).toBe('show');
    expect(await earlier.get('/operator/merchants')).toMatchObject(unshown);
    expect(await earlier.send('POST', '/account/two-factor', { password: goodPassword })).toMatchObject(
      unshown,
    );
    // The code of the next step, since a code is good once.
    const code = totpCode(totp_uri, new Date(Date.now() + 30_000));
    expect(await earlier.send('POST', '/account/confirm', { code })).toMatchObject({ status: 200 });
    expect(await earlier.get('/operator/merchants')).toMatchObject({ status: 200 });
  });

  test('signs in with a recovery code afterwards', async () => {
    const { recovery_codes } = await enrol();
    const other = createVisitor(app.baseUrl);
    const credentials = { email: operator.email, password: goodPassword };
    expect(await other.send('POST', '/auth/sign-in', credentials)).toMatchObject({
      data: { two_factor_needed: true },
    });
    await other.send('POST', '/auth/sign-in/recovery-code', { code: recovery_codes[0] });
    expect(await missing(other)).toBeNull();
  });
});

test('an operator with a passkey cannot do anything by the password alone, nor set another factor up', async () => {
  await seedPasskey(operator.id);
  expect(await missing()).toBe('show');
  expect(await visitor.get('/operator/merchants')).toMatchObject(unshown);
  expect(await visitor.send('POST', '/account/two-factor', { password: goodPassword })).toMatchObject(
    unshown,
  );
  expect(await visitor.send('POST', '/account/passkeys/options')).toMatchObject(unshown);
  // The password confirms nothing where there is a passkey.
  expect(await visitor.send('POST', '/account/confirm', { password: goodPassword })).toMatchObject(unshown);
  expect(await missing()).toBe('show');
});

describe('the last factor', () => {
  const last = { status: 409, error: 'second_factor_last' };

  test('stays, whether it is an app or a passkey', async () => {
    await enrol();
    expect(await visitor.send('POST', '/account/two-factor/off', { password: goodPassword })).toMatchObject(
      last,
    );
    const passkey = await seedPasskey(operator.id);
    expect(await visitor.send('POST', '/account/two-factor/off', { password: goodPassword })).toMatchObject({
      status: 200,
    });
    expect(await visitor.send('DELETE', `/account/passkeys/${passkey}`)).toMatchObject(last);
    await seedPasskey(operator.id);
    expect(await visitor.send('DELETE', `/account/passkeys/${passkey}`)).toMatchObject({ status: 200 });
  });

  test('goes where nobody needs one', async () => {
    const { email } = await seedAccount(app.db);
    const person = await signedIn(app.baseUrl, email);
    await enrol(person);
    expect(await person.send('POST', '/account/two-factor/off', { password: goodPassword })).toMatchObject({
      status: 200,
    });
  });

  test('is reset for who lost it, who then signs in by the password and sets a new one up', async () => {
    await enrol();
    await seedPasskey(operator.id);
    expect(await transaction(app.db, (tx) => resetFactors(tx, operator.email))).toEqual({
      id: operator.id,
      hadApp: true,
      passkeys: 1,
    });
    expect(await visitor.get('/account')).toMatchObject({ status: 401 });
    visitor = await signedIn(app.baseUrl, operator.email);
    expect(await missing()).toBe('set up');
    await enrol();
    expect(await missing()).toBeNull();
    expect(await transaction(app.db, (tx) => resetFactors(tx, 'nobody@example.com'))).toBeNull();
  });
});

describe('an owner', () => {
  let owner: { id: AccountId; email: string };
  let person: Visitor;
  beforeEach(async () => {
    owner = await seedAccount(app.db);
    await transaction(app.db, async (tx) => {
      const merchantId = await createMerchant(tx, { name: 'Corner shops', ownerId: owner.id }, new Date());
      await tx.query(`UPDATE integrations SET merchant_id = $2, approval = 'none' WHERE id = $1`, [
        app.integrationId,
        merchantId,
      ]);
    });
    person = await signedIn(app.baseUrl, owner.email);
  });
  const approve = (approval: string) =>
    app.db.query('UPDATE integrations SET approval = $2 WHERE id = $1', [app.integrationId, approval]);

  test('needs one from the moment at which an integration gets live mode', async () => {
    const path = `/integrations/${app.integrationId}/approval`;
    expect(await person.get(path)).toMatchObject({ status: 200 });
    await approve('approved');
    expect(await person.get(path)).toMatchObject(needed);
    await enrol(person);
    expect(await person.get(path)).toMatchObject({ status: 200 });
  });

  test('still needs one while it is suspended', async () => {
    await approve('suspended');
    expect(await missing(person)).toBe('set up');
  });

  test.each([
    ['owner', 'set up'],
    ['finance', 'set up'],
    ['developer', null],
    ['support', null],
    ['read-only', null],
  ] as const)('a member with the role %s of a business with live mode lacks %s', async (role, lacks) => {
    await approve('approved');
    await app.db.query('UPDATE members SET role = $2 WHERE account_id = $1', [owner.id, role]);
    expect(await missing(person)).toBe(lacks);
    const path = `/integrations/${app.integrationId}/live/payments`;
    expect(await person.get(path)).toMatchObject(lacks === null ? { status: 200 } : needed);
  });

  test('with another role in an open session needs one with the next call, and none after that role', async () => {
    await approve('approved');
    const become = (role: string) =>
      app.db.query('UPDATE members SET role = $2 WHERE account_id = $1', [owner.id, role]);
    const path = `/integrations/${app.integrationId}/live/payouts`;
    await become('read-only');
    expect(await person.get(path)).toMatchObject({ status: 200 });
    await become('finance');
    expect(await person.get(path)).toMatchObject(needed);
    await become('support');
    expect(await person.get(path)).toMatchObject({ status: 200 });
  });
});

describe('an account of the demo', () => {
  beforeEach(() => app.db.query('UPDATE accounts SET is_demo = true WHERE id = $1', [operator.id]));

  test('needs none on a gateway that only its own machine reaches', async () => {
    expect(await missing()).toBeNull();
    expect(await visitor.get('/operator/merchants')).toMatchObject({ status: 200 });
  });

  test('needs one elsewhere', async () => {
    const server = await startAccountServer(app.db);
    atFileEnd(() => server.close());
    const guest = await signedIn(server.url, operator.email);
    expect(await guest.get('/account/sessions')).toMatchObject(needed);
  });

  test.each([
    ['127.0.0.1', 'http://127.0.0.1:4000', true],
    ['::1', 'http://localhost:4000', true],
    ['0.0.0.0', 'http://localhost:4000', false],
    // A proxy in front.
    ['127.0.0.1', 'https://pay.example', false],
  ])('a gateway on %s at %s is reached by its own machine alone: %s', (host, baseUrl, is) => {
    expect(isLocalGateway({ host, baseUrl })).toBe(is);
  });
});
