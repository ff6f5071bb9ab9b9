import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { addAuthenticator } from '../../../test/browser/authenticator.ts';
import { openBrowser } from '../../../test/browser/browser.ts';
import { totpCode } from '../../../test/browser/totp.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  type AccountServer,
  type ConsoleAnswer,
  goodPassword,
  seedAccount,
  startAccountServer,
  waitingMails,
} from '../../../test/support/identity-fixtures.ts';

const { db } = await testDatabase();
let server: AccountServer;
let browser: Browser;
let page: Page;
let device: CDPSession;
let authenticatorId: string;
let account: { id: string; email: string };
beforeAll(async () => {
  [server, browser] = await Promise.all([startAccountServer(db), openBrowser()]);
});
afterAll(async () => {
  await server?.close();
});
beforeEach(async () => {
  account = await seedAccount(db);
  page = await (await browser.newContext()).newPage();
  ({ device, authenticatorId } = await addAuthenticator(page));
  // A name, because browsers make no passkeys for an IP address. A page of its own, since answers of the API forbid scripts.
  const blank = `${server.url.replace('127.0.0.1', 'localhost')}/blank`;
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(blank);
  expect(await send('/auth/sign-in', { email: account.email, password: goodPassword })).toMatchObject({
    status: 200,
  });
});
afterEach(() => page.context().close());

/** Calls the dashboard's API from within the page. */
async function send(path: string, body: object = {}, method = 'POST'): Promise<ConsoleAnswer> {
  return await page.evaluate(
    async ([url, text, verb]) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: verb, headers, ...(verb === 'GET' ? {} : { body: text }) });
      return { ...((await response.json()) as object), status: response.status } as ConsoleAnswer;
    },
    [`/console${path}`, JSON.stringify(body), method] as const,
  );
}

// As text: this repository has no types of the DOM.
const credentialsScript = `
  globalThis.createPasskey = async (json) => (await navigator.credentials.create({
    publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) })).toJSON();
  globalThis.usePasskey = async (json) => (await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) })).toJSON();`;

async function credential(how: 'createPasskey' | 'usePasskey', options: unknown): Promise<object> {
  await page.evaluate(credentialsScript);
  return await page.evaluate(`${how}(${JSON.stringify(options)})`);
}

async function addPasskey(name = 'Laptop'): Promise<ConsoleAnswer> {
  const { data } = await send('/account/passkeys/options');
  return await send('/account/passkeys', { name, response: await credential('createPasskey', data) });
}

async function signInByPasskey(): Promise<ConsoleAnswer> {
  const { data } = await send('/auth/sign-in/passkey/options');
  return await send('/auth/sign-in/passkey', { response: await credential('usePasskey', data) });
}

const statusNow = async (): Promise<number> => (await send('/account/sessions', {}, 'GET')).status;

test('a passkey is added, is enough to sign in, and its owner gets a mail', async () => {
  expect(await addPasskey()).toMatchObject({ status: 200, message: 'Passkey added' });
  expect((await send('/account/passkeys', {}, 'GET')).data!.items).toMatchObject([
    { name: 'Laptop', backed_up: false },
  ]);
  await send('/auth/sign-out');
  expect(await statusNow()).toBe(401);
  expect(await signInByPasskey()).toMatchObject({ status: 200, message: 'Signed in', data: null });
  expect(await statusNow()).toBe(200);
  const subjects = (await waitingMails(db, account.email)).map(({ subject }) => subject);
  expect(subjects).toEqual(['For your account the passkey "Laptop" was added']);
});

test('a passkey replaces password and code', async () => {
  await addPasskey();
  const { data } = await send('/account/two-factor', { password: goodPassword });
  await send('/account/two-factor/confirm', { code: totpCode((data as { totp_uri: string }).totp_uri) });
  await send('/auth/sign-out');
  expect(await signInByPasskey()).toMatchObject({ status: 200 });
  expect(await statusNow()).toBe(200);
});

test('a passkey that did not ask for a PIN is refused', async () => {
  await addPasskey();
  await send('/auth/sign-out');
  const { data } = await send('/auth/sign-in/passkey/options');
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  const response = await credential('usePasskey', { ...data, userVerification: 'discouraged' });
  expect(await send('/auth/sign-in/passkey', { response })).toMatchObject({
    status: 403,
    error: 'passkey_unconfirmed',
  });
  expect(await statusNow()).toBe(401);
});

test('an answer works for one challenge', async () => {
  await addPasskey();
  const { data } = await send('/auth/sign-in/passkey/options');
  const response = await credential('usePasskey', data);
  expect(await send('/auth/sign-in/passkey', { response })).toMatchObject({ status: 200 });
  expect(await send('/auth/sign-in/passkey', { response })).toMatchObject({
    status: 400,
    error: 'passkey_refused',
  });
});

test('only its owner renames and removes a passkey, and then it no longer signs in', async () => {
  const { data } = await addPasskey();
  const path = `/account/passkeys/${(data as { id: string }).id}`;
  expect(await send(path, { name: 'Old laptop' }, 'PATCH')).toMatchObject({ data: { name: 'Old laptop' } });

  await send('/auth/sign-out');
  const other = await seedAccount(db);
  await send('/auth/sign-in', { email: other.email, password: goodPassword });
  expect(await send(path, { name: 'Mine' }, 'PATCH')).toMatchObject({ status: 404 });
  expect(await send(path, {}, 'DELETE')).toMatchObject({ status: 404 });

  expect(await signInByPasskey()).toMatchObject({ status: 200 });
  expect(await send(path, {}, 'DELETE')).toMatchObject({ status: 200 });
  await send('/auth/sign-out');
  expect(await signInByPasskey()).toMatchObject({ status: 401, error: 'passkey_unknown' });
});

test('an answer that is not from a passkey is refused', async () => {
  for (const response of [{ id: 'x' }, { id: 'x', response: {} }]) {
    expect((await send('/auth/sign-in/passkey', { response })).status).toBe(403);
    expect(await send('/account/passkeys', { name: 'X', response })).toMatchObject({
      status: 400,
      error: 'passkey_refused',
    });
  }
  expect(await send('/auth/sign-in/passkey', {})).toMatchObject({ status: 400, error: 'field_invalid' });
});

test('an account whose address is not confirmed gets no passkey, before or after its options', async () => {
  const { data } = await send('/account/passkeys/options');
  const response = await credential('createPasskey', data);
  await db.query('UPDATE accounts SET email_verified = false WHERE id = $1', [account.id]);
  const refusal = { status: 403, error: 'email_not_verified' };
  expect(await send('/account/passkeys', { name: 'Laptop', response })).toMatchObject(refusal);
  expect(await send('/account/passkeys/options')).toMatchObject(refusal);
});
