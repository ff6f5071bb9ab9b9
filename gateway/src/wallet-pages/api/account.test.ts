import { describe, expect, test } from 'vitest';
import { totpCode } from '../../../test/browser/totp.ts';
import { type WalletPerson, walletPerson } from '../../../test/browser/wallet-person.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createUser, findUserIds } from '../../wallets/users.ts';

const password = 'correct horse battery staple';
const clock = testClock(new Date());
const app = await startApp({ now: clock.now });

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
const newestMail = async (email: string) =>
  (await outbox(app.db)).findLast(({ recipient }) => recipient === email);
/** The link in the newest mail to an address. */
const linkTo = async (email: string): Promise<string> =>
  /https?:\S+token=\S+/.exec((await newestMail(email))?.text ?? '')?.[0] ?? '';
const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? '';

describe('an account', () => {
  test('changes its password, which ends all other sessions', async () => {
    const person = await newcomer();
    const elsewhere = walletPerson(app.baseUrl);
    await signIn(elsewhere, person.username);
    const next = 'a wholly new password';
    const wrong = await person.send('account/password', { current: 'wrong', password: next });
    expect([wrong.status, wrong.words.includes('The password is not right.')]).toEqual([403, true]);
    const done = await person.send('account/password', { current: password, password: next });
    expect(done.to).toBe('/wallet/account?notice=passwordChanged');
    expect((await person.get('account?notice=passwordChanged')).words).toContain(
      'signed out everywhere else',
    );
    expect((await elsewhere.get('')).to).toBe('/wallet/sign-in');
    expect((await signIn(elsewhere, person.username)).status).toBe(401);
    expect((await signIn(elsewhere, person.username, next)).status).toBe(303);
  });

  test('that others made, or with a password from before the rules, gets a password of its own first', async () => {
    for (const made of [{ password, isGiven: true }, { password: 'password1234' }]) {
      const username = named();
      await transaction(app.db, (tx) => createUser(tx, { username, ...made }, clock.now()));
      const person = walletPerson(app.baseUrl);
      const led = await signIn(person, username, made.password);
      expect([led.status, led.to]).toEqual([303, expect.stringContaining('notice=passwordWeak')]);
      expect((await person.get('')).to).toBe('/wallet/sign-in');
      const token = new URL(`${led.to}`, app.baseUrl).searchParams.get('token') ?? '';
      const next = 'a wholly new password';
      expect((await person.send('reset', { token, password: next })).status).toBe(303);
      expect((await signIn(person, username, next)).to).toBe('/wallet/');
    }
  });

  test('shows its sessions and ends one of them, or all others', async () => {
    const person = await newcomer();
    const others = [walletPerson(app.baseUrl), walletPerson(app.baseUrl)] as const;
    for (const other of others) await signIn(other, person.username);
    const { text } = await person.get('account');
    const [first = ''] = [...text.matchAll(/session-off".*?name="id" value="([^"]+)"/gs)].map(([, id]) => id);
    expect((await person.send('account/session-off', { id: first })).to).toContain('sessionEnded');
    const left = await Promise.all(others.map(async (other) => (await other.get('')).status));
    expect(left.sort()).toEqual([200, 303]);
    await person.send('account/sessions-off', {});
    for (const other of others) expect((await other.get('')).status).toBe(303);
    expect((await person.get('')).status).toBe(200);
  });

  test('asks for a code once a second factor is on, and takes a recovery code in its place once', async () => {
    const person = await newcomer();
    const start = await person.send('account/factor', { current: password });
    const secret = /<bdi class="code"[^>]*>([A-Z2-7]{32})</.exec(start.text)?.[1] ?? '';
    const code = () => totpCode(`otpauth://totp/x?secret=${secret}`, clock.now());
    expect((await person.send('account/factor-on', { code: '000000' })).status).toBe(403);
    expect((await person.send('account/factor-on', { code: code() })).to).toContain('factorStarted');
    const codes = await person.send('account/recovery-codes', { current: password });
    const [recovery = ''] = /\w{4}(?:-\w{4}){5}/.exec(codes.text) ?? [];

    const elsewhere = walletPerson(app.baseUrl);
    expect((await signIn(elsewhere, person.username)).to).toBe('/wallet/code');
    expect((await elsewhere.get('')).to).toBe('/wallet/sign-in');
    // The code that turned the factor on was used.
    expect((await elsewhere.send('code', { code: code() })).status).toBe(403);
    clock.advance(30);
    expect((await elsewhere.send('code', { code: code() })).to).toBe('/wallet/');
    expect((await elsewhere.get('')).status).toBe(200);
    const third = walletPerson(app.baseUrl);
    await signIn(third, person.username);
    expect((await third.send('code', { code: recovery })).to).toBe('/wallet/');
    await signIn(third, person.username);
    expect((await third.send('code', { code: recovery })).status).toBe(403);
    clock.advance(600);
    expect((await third.send('code', { code: code() })).words).toContain('That took too long.');
    await signIn(third, person.username);
    expect((await third.send('code', { code: code() })).status).toBe(303);
    clock.advance(30);
    expect((await third.send('account/factor-off', { code: code() })).to).toContain('factorEnded');
    expect((await signIn(walletPerson(app.baseUrl), person.username)).to).toBe('/wallet/');
  });

  test('confirms its address by a link, and is mailed a link for a new password only then', async () => {
    const email = `${named()}@example.com`;
    const person = await newcomer({ email });
    const confirm = await linkTo(email);
    const forgot = () => walletPerson(app.baseUrl).send('forgotten', { username: person.username });
    expect((await forgot()).to).toContain('forgottenMailed');
    expect(await linkTo(email)).toBe(confirm);
    // Opening the link confirms nothing: mail programs do that by themselves.
    expect((await person.get(`confirm?token=${tokenIn(confirm)}`)).words).toContain('Confirm my address');
    expect((await person.get('account')).words).toContain('is not confirmed yet');
    expect((await person.send('confirm', { token: tokenIn(confirm) })).to).toContain('confirmDone');
    expect((await person.send('confirm', { token: tokenIn(confirm) })).status).toBe(400);

    expect((await forgot()).status).toBe(303);
    const token = tokenIn(await linkTo(email));
    const next = 'a wholly new password';
    const reset = (secret: string) => walletPerson(app.baseUrl).send('reset', { token, password: secret });
    expect((await reset('short')).status).toBe(400);
    expect((await reset(next)).to).toBe(`/wallet/sign-in?username=${person.username}&notice=resetDone`);
    expect((await reset(next)).words).toContain('This link is no longer good.');
    expect((await person.get('')).to).toBe('/wallet/sign-in');
    expect((await signIn(person, person.username, next)).status).toBe(303);
    // Nobody learns which names exist.
    const unknown = await walletPerson(app.baseUrl).send('forgotten', { username: 'nobody-at-all' });
    expect(unknown.to).toContain('forgottenMailed');
  });

  test('gets a new password by a recovery code, once', async () => {
    const person = await newcomer();
    const { text } = await person.send('account/recovery-codes', { current: password });
    const [code = ''] = /\w{4}(?:-\w{4}){5}/.exec(text) ?? [];
    const next = 'a wholly new password';
    const recover = (given: string) =>
      walletPerson(app.baseUrl).send('recover', { username: person.username, code: given, password: next });
    expect((await recover('0000-0000-0000-0000')).status).toBe(403);
    expect((await recover(code)).to).toContain('resetDone');
    expect((await recover(code)).status).toBe(403);
    expect((await signIn(person, person.username, next)).status).toBe(303);
  });

  test('is told by mail, in its language, of a sign-in on a new device', async () => {
    const email = `${named()}@example.com`;
    const person = await newcomer({ email });
    await person.send('confirm', { token: tokenIn(await linkTo(email)), lang: 'de' });
    const elsewhere = walletPerson(app.baseUrl);
    await elsewhere.send('sign-in', { username: person.username, password, lang: 'de' });
    const newest = await newestMail(email);
    expect(newest?.subject).toBe('Ihre Wallet wurde auf einem neuen Gerät geöffnet');
    expect(newest?.html).toContain('<html lang="de"');
    // The same device again is no news.
    await elsewhere.send('sign-in', { username: person.username, password });
    const { rowCount } = await app.db.query('SELECT FROM emails WHERE recipient = $1', [email]);
    expect(rowCount).toBe(2);
  });
});

describe('the ways back in', () => {
  test('say at once that a link is no longer good, with the way to another one', async () => {
    const visitor = walletPerson(app.baseUrl);
    const reset = await visitor.get('reset?token=x');
    expect([reset.status, reset.words.includes('This link is no longer good.')]).toEqual([400, true]);
    expect(reset.text).toContain('href="/wallet/forgotten"');
    expect(reset.text).not.toContain('type="password"');
    const confirm = await visitor.get('confirm?token=x');
    expect([confirm.status, confirm.words.includes('Confirm my address')]).toEqual([400, false]);
  });

  test('tell password managers whose password is new, and lead to a sign-in with the username', async () => {
    const email = `${named()}@example.com`;
    const person = await newcomer({ email });
    await person.send('confirm', { token: tokenIn(await linkTo(email)) });
    await walletPerson(app.baseUrl).send('forgotten', { username: person.username });
    const token = tokenIn(await linkTo(email));
    const name = `name="username" value="${person.username}" autocomplete="username" readonly hidden`;
    expect((await person.get(`reset?token=${token}`)).text).toContain(name);
    expect((await person.get('account')).text).toContain(name);
    const done = await person.send('reset', { token, password: 'a wholly new password' });
    expect((await person.get(done.to?.replace('/wallet/', '') ?? '')).text).toContain(
      `value="${person.username}"`,
    );
  });

  test('are named before they are needed, and who has none of them is told whom to ask', async () => {
    const person = await newcomer();
    expect((await person.get('')).words).toContain('or lose your passkey, only a recovery code');
    const start = await person.send('account/factor', { current: password });
    expect(start.text).toContain('href="otpauth://totp/');
    const secret = /<bdi class="code"[^>]*>([A-Z2-7]{32})</.exec(start.text)?.[1] ?? '';
    await person.send('account/factor-on', {
      code: totpCode(`otpauth://totp/x?secret=${secret}`, clock.now()),
    });
    for (const page of ['', 'account'])
      expect((await person.get(page)).words).toContain(
        'If you lose your authenticator app, only a recovery code',
      );
    const made = await person.send('account/recovery-codes', { current: password });
    const codes = made.text.match(/\w{4}(?:-\w{4}){5}/g) ?? [];
    const file = /download="[^"]+" href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(made.text)?.[1] ?? '';
    expect(decodeURIComponent(file).split('\n')).toEqual(codes.slice(0, 10));
    expect((await person.get('')).words).not.toContain('Do not lock yourself out');
    const visitor = walletPerson(app.baseUrl);
    expect((await visitor.get('forgotten')).words).toContain('ask whoever runs this wallet');
    await signIn(visitor, person.username);
    expect((await visitor.get('code')).words).toContain('ask whoever runs this wallet');
  });
});
