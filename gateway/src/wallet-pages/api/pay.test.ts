import { describe, expect, test } from 'vitest';
import { totpCode } from '../../../test/browser/totp.ts';
import { walletPerson } from '../../../test/browser/wallet-person.ts';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { seedBalance, testClock } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { unmasked } from '../../kit/masked.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { freezeUser } from '../../wallets/operators/standing-changes.ts';
import { findUserIds } from '../../wallets/users.ts';

const password = 'correct horse battery staple';
const clock = testClock(new Date());
const app = await startApp({ now: clock.now });

async function person(units = 1n) {
  const own = walletPerson(app.baseUrl);
  const username = `P${newId().replaceAll('-', '').slice(4, 30)}`;
  expect((await own.send('sign-up', { username, password })).status).toBe(303);
  const owner = (await findUserIds(app.db, [username])).get(username)!;
  await seedBalance(app.db, { owner, kind: 'user', mode: 'test', asset: 'usdc-base', units });
  return { ...own, username, id: owner };
}

/** A payment of 7 USDC: its page, and the three values that open it. */
async function payment() {
  const body = { amount: 7, currency: 'USDC', payment_type: 'deposit' };
  const { body: made } = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const url = new URL(made.data.PaymentURL);
  const named = Object.fromEntries(url.searchParams) as { reference: string; app: string; token: string };
  const status = async () => {
    const state = await fetch(`${url.origin}${url.pathname}/state${url.search}`);
    return ((await state.json()) as { payment_status: string }).payment_status;
  };
  return { url, named, path: `pay?${new URLSearchParams(named)}`, status };
}

describe('paying by one press', () => {
  test('shows what is paid to whom, pays it, and leads back to its page', async () => {
    const own = await person(10_000_000n);
    const { named, path, url, status } = await payment();
    const hosted = await (await fetch(url)).text();
    expect(hosted).not.toContain('wallet/pay');
    const shown = await own.get(path);
    expect(shown.status).toBe(200);
    expect(shown.words).toMatch(/Pay 7\.00 USDC to .+\?/);
    expect(shown.words).toContain('10.00 USDC');
    // Of a test payment, though the address says nothing of it.
    expect(shown.text).toContain('class="test-banner"');
    expect(shown.text).toContain('href="/wallet/history?mode=test"');
    expect(await status()).toBe('unlinked');
    const paid = await own.send('pay', named);
    expect([paid.status, paid.to]).toEqual([303, `/pay?${new URLSearchParams(named)}#new`]);
    expect(await status()).toBe('completed');
    const again = await own.send('pay', named);
    expect([again.status, again.words.includes('cannot be paid any more')]).toEqual([409, true]);
    const after = await own.get(path);
    expect(after.words).toMatch(/Paid .+ Total/);
    const { entries } = JSON.parse((await own.get('state?mode=test')).text);
    expect(entries[0]).toMatchObject({ kind: 'paid', amount: '-7' });
    expect(await auditLedger(app.db)).toMatchObject({ findings: [] });
  });

  test('asks for nothing while all of it has come and is not final yet', async () => {
    const own = await person(10_000_000n);
    const { named, path, status } = await payment();
    const body = { outcome: 'slow' };
    await app.api('POST', `/test/payments/${named.reference}/simulate`, { body });
    expect(await status()).toBe('pending');
    const shown = await own.get(path);
    expect([/(?<!\d)0\.00/.test(shown.words), shown.text.includes('id="pay"')]).toEqual([false, false]);
    expect(shown.words).toContain('7.00 USDC');
  });

  test('is offered on the page of the payment, once the wallet was chosen there', async () => {
    await person();
    const { url, named } = await payment();
    const form = new URLSearchParams({ ...named, asset: 'wallet' });
    const chosen = await fetch(`${url.origin}/pay/method`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    expect(chosen.status).toBe(303);
    const page = await (await fetch(url, { headers: { 'accept-language': 'en' } })).text();
    const link = /href="([^"]*\/wallet\/pay\?[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const linked = Object.fromEntries(new URL(link, url).searchParams);
    expect({ ...linked, token: unmasked(linked.token ?? '') }).toEqual({ ...named, lang: 'en' });
    const own = await person(10_000_000n);
    expect((await own.get(`pay?${new URLSearchParams(linked)}`)).status).toBe(200);
  });

  test('comes after the sign-in for whoever is not signed in yet, also by a second step', async () => {
    const own = await person(10_000_000n);
    const { path, named } = await payment();
    await own.send('sign-out', {});
    const asked = await own.get(path);
    expect(asked.status).toBe(303);
    const signIn = await own.get(asked.to!.replace('/wallet/', ''));
    const next = /name="next" value="([^"]+)"/.exec(signIn.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const entered = await own.send('sign-in', { username: own.username, password, next });
    expect(new URL(entered.to!, app.baseUrl).pathname).toBe('/wallet/pay');
    expect(Object.fromEntries(new URL(entered.to!, app.baseUrl).searchParams)).toEqual(named);
  });

  test.each(['//evil.example', 'https://evil.example', '../app/', 'sign-out', 'account/email', 'pay/../..'])(
    'a sign-in never leads to %s',
    async (next) => {
      const own = await person();
      const entered = await own.send('sign-in', { username: own.username, password, next });
      expect([entered.status, entered.to]).toEqual([303, '/wallet/']);
    },
  );

  test('says what is missing before the press, and charges nothing', async () => {
    const own = await person(6_999_999n);
    const { named, path, status } = await payment();
    const shown = await own.get(path);
    expect([shown.words.includes('Your balance is too low'), shown.text.includes('id="pay"')]).toEqual([
      true,
      false,
    ]);
    expect((await own.send('pay', named)).status).toBe(403);
    expect(await status()).toBe('unlinked');
  });

  test('a frozen wallet pays nothing, and says so on its first page', async () => {
    const own = await person(10_000_000n);
    const { named, path } = await payment();
    await transaction(app.db, (tx) => freezeUser(tx, own.id, 'asked by the police', clock.now()));
    expect((await own.get(path)).words).toContain('Your wallet is frozen');
    expect((await own.send('pay', named)).status).toBe(403);
    const home = await own.get('?mode=test');
    expect(home.words).toContain('Your wallet is frozen');
    expect(home.words).not.toContain('police');
  });

  test('above the limit of the level asks for the code of an app', async () => {
    const own = await person(10_000_000n);
    await app.db.query(
      `INSERT INTO wallet_limits (level, action, asset, units, updated_at) VALUES (0, 'pay_unproved', 'usdc-base', 5000000, now())`,
    );
    const { named, path, status } = await payment();
    expect((await own.get(path)).words).toContain('Set up a second factor first');
    expect((await own.send('pay', named)).status).toBe(403);
    const started = await own.send('account/factor', { current: password });
    const secret = /<bdi class="code"[^>]*>([A-Z2-7]{32})</.exec(started.text)?.[1] ?? '';
    const code = () => totpCode(`otpauth://totp/x?secret=${secret}`, clock.now());
    await own.send('account/factor-on', { code: code() });
    clock.advance(400);
    const shown = await own.get(path);
    expect([shown.text.includes('name="code"'), shown.words.includes('not possible')]).toEqual([true, false]);
    expect((await own.send('pay', named)).words).toContain('Enter a code of your app.');
    expect((await own.send('pay', { ...named, code: '000000' })).status).toBe(403);
    expect(await status()).toBe('unlinked');
    const paid = await own.send('pay', { ...named, code: code() });
    expect([paid.status, await status()]).toEqual([303, 'completed']);
  });

  test('of values that do not belong together is not found, and is limited as the page of payments is', async () => {
    const own = await person(10_000_000n);
    const { named } = await payment();
    const wrong = { ...named, token: 'no' };
    expect((await own.get(`pay?${new URLSearchParams(wrong)}`)).status).toBe(404);
    expect((await own.send('pay', wrong)).status).toBe(404);
  });
});
