import { describe, expect, test } from 'vitest';
import { type WalletPerson, walletPerson } from '../../../test/browser/wallet-person.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import { makeInvitation } from '../../wallets/accounts/sign-up.ts';
import { findUserIds } from '../../wallets/users.ts';

const password = 'correct horse battery staple';
const app = await startApp();

const named = (): string => `u${newId().replaceAll('-', '').slice(4, 30)}`;

async function newcomer(more: Record<string, string> = {}) {
  const person = walletPerson(app.baseUrl);
  const username = named();
  const answer = await person.send('sign-up', { username, password, ...more });
  expect([answer.status, answer.to]).toEqual([303, '/wallet/']);
  const id = (await findUserIds(app.db, [username])).get(username) ?? '';
  return { ...person, username, id };
}
const signIn = (person: WalletPerson, username: string, secret = password) =>
  person.send('sign-in', { username, password: secret });
const stateOf = async (person: WalletPerson, query = '') => {
  const { status, text } = await person.get(`state${query}`);
  return { status, ...JSON.parse(text) };
};
const errorIn = (text: string): unknown => JSON.parse(text).error;

describe('a wallet', () => {
  test('is made by a form, which signs in, and is left and entered again', async () => {
    const person = await newcomer();
    expect((await person.get('')).words).toContain('There is nothing here yet.');
    expect(await stateOf(person)).toMatchObject({ username: person.username, mode: 'live', entries: [] });
    expect((await person.send('sign-out', {})).to).toBe('/wallet/sign-in');
    expect(await stateOf(person)).toMatchObject({ status: 401, error: 'not_signed_in' });
    expect((await person.get('')).to).toBe('/wallet/sign-in');
    const wrong = await signIn(person, person.username, 'not this one at all');
    expect([wrong.status, wrong.words.includes('Username or password is wrong.')]).toEqual([401, true]);
    expect((await signIn(person, person.username.toUpperCase())).to).toBe('/wallet/');
  });

  test.each([
    [{ username: 'a b' }, 400, 'A username has 3 to 32 letters'],
    [{ password: 'too short' }, 400, 'at least 12 characters'],
    [{ password: 'password1234' }, 400, 'one of the first that somebody would try'],
    [{ email: 'ada@' }, 400, 'This is not an e-mail address.'],
    [{ username: 'JOHN_DOE' }, 409, 'This username is taken, or it looks like one that is.'],
    [{ username: 'j0hn.doe' }, 409, 'This username is taken, or it looks like one that is.'],
  ])('is not made with %j, and the form says why', async (fields, status, words) => {
    await walletPerson(app.baseUrl).send('sign-up', { username: 'john_doe', password });
    const email = 'ada@example.com';
    const given = { username: named(), password, email, ...fields };
    const answer = await walletPerson(app.baseUrl).send('sign-up', given);
    expect([answer.status, answer.words.includes(words)]).toEqual([status, true]);
    // What was typed is still there, except the password.
    expect(answer.text.includes(`value="${given.email}"`)).toBe(true);
    expect(answer.text.includes(given.password)).toBe(false);
  });

  test('of an invitation is made once with it', async () => {
    const closed = await startApp({ env: { WALLETS: 'invitation' } });
    const { code } = await makeInvitation(closed.db, new Date());
    const up = (invitation: string) =>
      walletPerson(closed.baseUrl).send('sign-up', { username: named(), password, invitation });
    expect((await up('')).status).toBe(400);
    expect((await up(code)).to).toBe('/wallet/');
    expect((await up(code)).words).toContain('This invitation is not known');
  });

  test('has no pages where they are off', async () => {
    const off = await startApp({ env: { WALLETS: 'off' } });
    for (const path of ['', 'sign-in', 'state', 'worker.js'])
      expect((await walletPerson(off.baseUrl).get(path)).status).toBe(404);
  });
});

describe('a form', () => {
  test('of another site is refused, and so is one that only a cookie speaks for', async () => {
    const person = await newcomer();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {} as Record<string, string>,
    ]) {
      const answer = await person.send('sign-out', {}, headers);
      expect([answer.status, errorIn(answer.text)]).toEqual([403, 'foreign_form']);
    }
    expect((await person.get('account')).status).toBe(200);
    expect((await person.send('sign-out', {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
    // Without a cookie there is nobody to speak for.
    const program = await walletPerson(app.baseUrl).send(
      'sign-in',
      { username: person.username, password },
      {},
    );
    expect(program.status).toBe(303);
  });

  test('of somebody who is not signed in any more draws the sign-in', async () => {
    const answer = await walletPerson(app.baseUrl).send('account/password', { password });
    expect([answer.status, answer.words.includes('Sign in to your wallet')]).toEqual([401, true]);
  });

  test('of one user never reaches the sessions or passkeys of another', async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    const { rows } = await app.db.query<{ id: string }>('SELECT id FROM user_sessions WHERE user_id = $1', [
      other.id,
    ]);
    await one.send('account/session-off', { id: rows[0]?.id ?? '' });
    expect((await other.get('')).status).toBe(200);
  });

  test('takes any text in any field without an internal error', async () => {
    const person = await newcomer();
    const odd = ['\0', '\ud800', "' OR 1=1 --", 'x'.repeat(5_000), '<script>', '{"id":1}', ''];
    const pages = 'sign-up sign-in code forgotten recover reset confirm sign-in-passkey account/email'.split(
      ' ',
    );
    pages.push(
      'account/password',
      'account/factor-on',
      'account/factor-off',
      'account/passkey',
      'account/passkey-off',
    );
    const names = 'username password email code token response current id mode lang invitation'.split(' ');
    for (const page of pages) {
      for (const value of odd) {
        const fields = Object.fromEntries(names.map((name) => [name, value]));
        const { status, text } = await person.send(page, fields);
        expect([page, value.slice(0, 9), status < 500, text.includes('<script>')]).toEqual([
          page,
          value.slice(0, 9),
          true,
          false,
        ]);
      }
    }
  });
});

describe('cookies', () => {
  test('are the wallet’s own, for its path alone, and those that are damaged are expired', async () => {
    const person = await newcomer();
    const again = await signIn(walletPerson(app.baseUrl), person.username);
    const lines = again.headers.getSetCookie();
    for (const line of lines) {
      expect(line).toMatch(/^florin-wallet\.\w+=/);
      expect(line).toMatch(/; Path=\/wallet; HttpOnly; SameSite=Lax/);
    }
    const [name = ''] = [...person.cookies.keys()].filter((each) => each.endsWith('session'));
    person.cookies.set(name, `${person.cookies.get(name)}x`);
    const damaged = await person.get('');
    expect([damaged.status, damaged.to, person.cookies.has(name)]).toEqual([303, '/wallet/sign-in', false]);
  });
});

describe('money', () => {
  test('is shown with its history, real money apart from test money, and is taken away as a file', async () => {
    const person = await newcomer();
    const seed = { owner: person.id, kind: 'user', asset: 'usdc-base' } as const;
    await seedBalance(app.db, { ...seed, mode: 'live', units: 12_500_000n });
    const shop = { owner: app.integrationId, kind: 'business', asset: 'usdc-base', mode: 'test' } as const;
    await seedBalance(app.db, { ...shop, units: 90_000_000n });
    for (let index = 0; index < 30; index++) {
      const body = { username: person.username, amount: 1, currency: 'usdc-base' };
      expect((await app.api('POST', '/payment/fund-user', { body })).status).toBe(200);
    }
    expect((await person.get('')).words).toContain('12.50 USDC');
    const state = await stateOf(person, '?mode=test');
    expect(state).toMatchObject({ mode: 'test' });
    expect(state.balances).toContainEqual({ asset: 'usdc-base', available: '30', held: '0' });
    expect(state.entries[0]).toEqual({
      at: expect.any(String),
      asset: 'usdc-base',
      amount: '1',
      kind: 'funded',
      text: 'Corner shop sent you money',
    });
    const page = await person.get('history?mode=test');
    expect(page.text.match(/class="line-amount in"/g)).toHaveLength(25);
    const older = /href="\/wallet\/history\?([^"]*before=[^"]*)"/
      .exec(page.text)?.[1]
      ?.replaceAll('&amp;', '&');
    const rest = await person.get(`history?${older}`);
    expect(rest.text.match(/class="line-amount in"/g)).toHaveLength(5);
    const csv = (await person.get('history.csv?mode=test')).text.trim().split('\r\n');
    expect(csv).toHaveLength(31);
    expect(csv[1]).toMatch(/^\S+Z,usdc-base,1,30,funded,Corner shop sent you money$/);
    expect((await walletPerson(app.baseUrl).get('history.csv')).status).toBe(401);
  });
});

test('what makes the pages an app is served, and nothing of a wallet is kept by it', async () => {
  const visitor = walletPerson(app.baseUrl);
  const manifest = JSON.parse((await visitor.get('manifest.webmanifest')).text);
  expect(manifest).toMatchObject({ start_url: '/wallet/', scope: '/wallet/', display: 'standalone' });
  for (const { src } of [...manifest.icons, { src: '/wallet/icon.png' }])
    expect((await visitor.get(src.replace('/wallet/', ''))).headers.get('content-type')).toMatch(/^image\//);
  expect(manifest.shortcuts.map(({ url }: { url: string }) => url)).toEqual([
    '/wallet/receive',
    '/wallet/send',
  ]);
  expect((await visitor.get('icon.svg')).headers.get('content-type')).toBe('image/svg+xml');
  expect((await visitor.get('icon.png')).headers.get('content-type')).toBe('image/png');
  expect((await visitor.get('offline')).words).toContain('You are offline');
  const worker = (await visitor.get('worker.js')).text;
  expect(JSON.parse(/const kept = (\[.*\]);/.exec(worker)?.[1] ?? '')).toEqual([
    '/wallet/offline',
    expect.stringMatching(/^\/wallet\/wallet-[\w-]{16}\.css$/),
    expect.stringMatching(/^\/wallet\/wallet-[\w-]{16}\.js$/),
  ]);
});
