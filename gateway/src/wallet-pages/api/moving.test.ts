import { describe, expect, test } from 'vitest';
import { codesIn } from '../../../test/browser/qr-codes.ts';
import { totpCode } from '../../../test/browser/totp.ts';
import { walletPerson } from '../../../test/browser/wallet-person.ts';
import { seedBalance, testClock } from '../../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { findUserIds } from '../../wallets/users.ts';

const password = 'correct horse battery staple';
const asset = 'usdc-base';
const clock = testClock(new Date());
const app = await startApp({ env: { WITHDRAWAL_CHECKS: '0' }, now: clock.now });
const checked = await startApp({ env: { WITHDRAWAL_CHECKS: '1' }, now: clock.now });

async function person(on: RunningApp, units = 0n) {
  const own = walletPerson(on.baseUrl);
  const username = `P${newId().replaceAll('-', '').slice(4, 30)}`;
  expect((await own.send('sign-up', { username, password })).status).toBe(303);
  const owner = (await findUserIds(on.db, [username])).get(username) ?? '';
  if (units > 0n) await seedBalance(on.db, { owner, kind: 'user', mode: 'test', asset, units });
  const available = async (): Promise<string> => {
    const { balances } = JSON.parse((await own.get('state?mode=test')).text);
    return balances.find((each: { asset: string }) => each.asset === asset).available;
  };
  return { ...own, username, available };
}
const formIn = (text: string): string => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';

describe('sending', () => {
  test('shows who gets what first, and then sends once however often the form comes', async () => {
    const [from, to] = [await person(app, 10_000_000n), await person(app)];
    const fields = { mode: 'test', to: to.username.toLowerCase(), asset, amount: '2.5', note: 'Lunch <b>' };
    const shown = await from.send('send', fields);
    expect(shown.status).toBe(200);
    // The name as its owner wrote it.
    expect(shown.words).toContain(`Send 2.50 USDC to ${to.username}`);
    expect([await from.available(), await to.available()]).toEqual(['10', '0']);
    const confirmed = { ...fields, form: formIn(shown.text), confirm: 'yes' };
    const done = await Promise.all([from.send('send', confirmed), from.send('send', confirmed)]);
    expect(done.map(({ status }) => status)).toEqual([303, 303]);
    expect([await from.available(), await to.available()]).toEqual(['7.5', '2.5']);
    const { words } = await to.get('history?mode=test');
    expect(words).toContain(`Received from ${from.username}`);
    expect(words).toContain('Lunch &lt;b&gt;');
  });

  test.each([
    [{ to: 'nobody-at-all' }, 404, 'Nobody has this username.'],
    [{ amount: '11' }, 403, 'Your balance is too low.'],
    [{ amount: '0' }, 400, 'This is not an amount'],
    [{ amount: '1,000' }, 400, 'This is not an amount'],
    [{ amount: '0.0000001' }, 400, 'This is not an amount'],
    [{ amount: '-1' }, 400, 'This is not an amount'],
    [{ asset: 'gold' }, 400, 'not available'],
  ])('of %j is refused, and the form is drawn again', async (changes, status, words) => {
    const [from, to] = [await person(app, 10_000_000n), await person(app)];
    const fields = { mode: 'test', to: to.username, asset, amount: '1', ...changes };
    for (const confirm of ['', 'yes']) {
      const answer = await from.send('send', { ...fields, confirm });
      expect([answer.status, answer.words.includes(words)]).toEqual([status, true]);
    }
    expect([await from.available(), await to.available()]).toEqual(['10', '0']);
  });

  test('asks for a code of whoever has a second factor, unless one was shown in the last minutes', async () => {
    const [from, to] = [await person(app, 10_000_000n), await person(app)];
    const start = await from.send('account/factor', { current: password });
    const secret = /<bdi class="code"[^>]*>([A-Z2-7]{32})</.exec(start.text)?.[1] ?? '';
    const code = () => totpCode(`otpauth://totp/x?secret=${secret}`, clock.now());
    await from.send('account/factor-on', { code: code() });
    const fields = { mode: 'test', to: to.username, asset, amount: '1', confirm: 'yes' };
    expect((await from.send('send', fields)).status).toBe(303);
    clock.advance(301);
    const asked = await from.send('send', fields);
    expect([asked.status, asked.text.includes('name="code"')]).toEqual([403, true]);
    expect((await from.send('send', { ...fields, code: '000000' })).status).toBe(403);
    expect(await to.available()).toBe('1');
    expect((await from.send('send', { ...fields, code: code() })).status).toBe(303);
    expect(await to.available()).toBe('2');
  });
});

test('the code on the page Receive opens a send to its user, with the sign-in before', async () => {
  const [own, other] = [await person(app), await person(app, 10_000_000n)];
  const { text } = await own.get('receive?mode=test');
  const [link = ''] = codesIn(text);
  expect(link).toBe(`${app.baseUrl}/wallet/send?to=${own.username}&mode=test`);
  const path = link.replace(`${app.baseUrl}/wallet/`, '');
  expect((await other.get(path)).text).toContain(`value="${own.username}"`);
  await other.send('sign-out', {});
  const asked = await other.get(path);
  expect(new URL(asked.to ?? '', app.baseUrl).searchParams.get('next')).toBe(
    `send?to=${own.username}&mode=test`,
  );
});

describe('withdrawing', () => {
  const to = `0x${'a'.repeat(40)}`;
  const fields = { mode: 'test', asset, amount: '4', to };

  test('shows what it costs first, and is then ordered once', async () => {
    const from = await person(app, 10_000_000n);
    const shown = await from.send('withdraw', fields);
    expect([shown.status, shown.words.includes('Withdraw 4.00 USDC')]).toEqual([200, true]);
    expect(shown.words).toContain('cannot be taken back');
    expect(await from.available()).toBe('10');
    const confirmed = { ...fields, form: formIn(shown.text), confirm: 'yes' };
    expect((await from.send('withdraw', confirmed)).to).toContain('withdrawOrdered');
    expect((await from.send('withdraw', confirmed)).status).toBe(303);
    expect(await from.available()).toBe('6');
    expect((await from.get('withdraw?mode=test')).words).toContain('Your withdrawals');
    const wrong = await from.send('withdraw', { ...fields, to: 'home' });
    expect([wrong.status, wrong.words.includes('This is not an address')]).toEqual([400, true]);
  });

  test('is cancelled by its user while nothing is signed, and by nobody else', async () => {
    const [from, other] = [await person(app, 10_000_000n), await person(app)];
    expect((await from.send('withdraw', { ...fields, confirm: 'yes' })).status).toBe(303);
    expect(await from.available()).toBe('6');
    const list = await from.get('withdraw?mode=test');
    const path = /href="\/wallet\/(withdrawal\?[^"]+)"/.exec(list.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { text } = await from.get(path);
    const id = /withdraw\/cancel.*?name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await other.send('withdraw/cancel', { mode: 'test', id })).status).toBe(404);
    expect((await other.get('withdraw?mode=test')).text).not.toContain(id);
    expect((await from.send('withdraw/cancel', { mode: 'test', id })).to).toContain('withdrawCancelled');
    expect(await from.available()).toBe('10');
    expect((await from.send('withdraw/cancel', { mode: 'test', id })).status).toBe(409);
    const after = await from.get(path);
    expect([
      after.words.includes('Not sent. The money is yours again.'),
      after.text.includes('withdraw/cancel'),
    ]).toEqual([true, false]);
  });

  test('fills in an address of the book, which is there without the checks, too', async () => {
    const own = await person(app, 10_000_000n);
    const added = { mode: 'test', asset, to, label: 'My <b>cold</b> wallet' };
    expect((await own.send('withdraw/address', added)).to).toContain('addressAdded');
    const { text } = await own.get('withdraw?mode=test');
    const link =
      /href="\/wallet\/(withdraw\?[^"]*to=0x[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await own.get(link)).text).toContain(`id="to" name="to" required  value="${to}"`);
  });

  test('of somebody who has passkeys alone asks for a new sign-in, after which the form is as it was', async () => {
    const from = await person(checked, 10_000_000n);
    await from.send('withdraw/address', { ...fields, label: 'My bank' });
    await checked.db.query(
      `INSERT INTO user_passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
       SELECT $1::uuid, id, 'phone', $1::text, '', 0, '{}', $3 FROM users WHERE username = $2`,
      [newId(), from.username, clock.now()],
    );
    clock.advance(24 * 3600);
    await from.send('sign-in', { username: from.username, password });
    const refused = await from.send('withdraw', { ...fields, confirm: 'yes' });
    expect([refused.status, refused.words.includes('Sign in again to do this. Sign in')]).toEqual([
      403,
      true,
    ]);
    const link = /role="alert">.*?href="\/wallet\/([^"]+)"/.exec(refused.text)?.[1]?.replaceAll('&amp;', '&');
    const signIn = await from.get(link ?? '');
    const next = /name="next" value="([^"]+)"/.exec(signIn.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const entered = await from.send('sign-in', { mode: 'test', username: from.username, password, next });
    const form = await from.get(entered.to?.replace('/wallet/', '') ?? '');
    expect([form.text.includes(`value="${to}"`), form.text.includes('value="4"')]).toEqual([true, true]);
  });

  test('needs a second factor and a rested address where the operator asks for them', async () => {
    const from = await person(checked, 10_000_000n);
    expect((await from.send('withdraw', fields)).words).toContain(
      'Add this address to your address book first.',
    );
    const added = await from.send('withdraw/address', { ...fields, label: 'My bank' });
    expect(added.to).toContain('addressAdded');
    expect((await from.send('withdraw', fields)).words).toContain('This address is new.');
    clock.advance(24 * 3600);
    await from.send('sign-in', { username: from.username, password });
    expect((await from.send('withdraw', fields)).status).toBe(200);
    const refused = await from.send('withdraw', { ...fields, confirm: 'yes' });
    expect([refused.status, refused.words.includes('Set up a second factor first')]).toEqual([403, true]);
    const start = await from.send('account/factor', { current: password });
    const secret = /<bdi class="code"[^>]*>([A-Z2-7]{32})</.exec(start.text)?.[1] ?? '';
    const code = totpCode(`otpauth://totp/x?secret=${secret}`, clock.now());
    await from.send('account/factor-on', { code });
    expect((await from.send('withdraw', { ...fields, confirm: 'yes' })).status).toBe(303);
    expect(await from.available()).toBe('6');
  });
});

describe('receiving', () => {
  test('gives the user an address for an asset, the same each time, and says where none is taken', async () => {
    const own = await person(app);
    const addressIn = (text: string) => /data-address="([^"]+)"/.exec(text)?.[1];
    const first = await own.get(`receive?asset=${asset}&mode=test`);
    expect([first.status, addressIn(first.text)]).toEqual([200, expect.stringMatching(/^test_/)]);
    expect(addressIn((await own.get(`receive?asset=${asset}&mode=test`)).text)).toBe(addressIn(first.text));
    // No network is configured in this gateway.
    const live = await own.get(`receive?asset=${asset}`);
    expect([live.status, addressIn(live.text), live.words.includes('not available')]).toEqual([
      400,
      undefined,
      true,
    ]);
  });
});

test('after all of that the ledger is whole', async () => {
  expect((await auditLedger(app.db)).findings).toEqual([]);
  expect((await auditLedger(checked.db)).findings).toEqual([]);
});
