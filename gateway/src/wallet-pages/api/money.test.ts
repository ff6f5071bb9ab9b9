import { describe, expect, test } from 'vitest';
import { walletPerson } from '../../../test/browser/wallet-person.ts';
import { seedBalance, testClock } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { findUserIds } from '../../wallets/users.ts';

const password = 'correct horse battery staple';
const clock = testClock(new Date('2026-11-30T14:32:00Z'));
const app = await startApp({ now: clock.now });

async function person(units: Record<string, bigint> = {}, mode: 'live' | 'test' = 'live') {
  const own = walletPerson(app.baseUrl);
  const username = `m${newId().replaceAll('-', '').slice(4, 30)}`;
  expect((await own.send('sign-up', { username, password })).status).toBe(303);
  const owner = (await findUserIds(app.db, [username])).get(username) ?? '';
  for (const [asset, each] of Object.entries(units))
    await seedBalance(app.db, { owner, kind: 'user', mode, asset, units: each });
  return { ...own, username, owner };
}
const typeRate = (currency: string, rate: string) =>
  app.db.query(
    `INSERT INTO typed_rates (currency, price_currency, rate, typed_at, ends_at)
     VALUES ($1, 'EUR', $2, $3, $3::timestamptz + interval '1 day')
     ON CONFLICT (currency, price_currency) DO UPDATE SET rate = excluded.rate`,
    [currency, rate, clock.now()],
  );

describe('the first page', () => {
  test('has a row for each coin with its networks below, and what can be done above them', async () => {
    const own = await person({ 'usdc-base': 12_500_000n, 'usdc-bep20': 34n * 10n ** 18n, pi: 5_000_000n });
    const { text, words } = await own.get('');
    expect(text.match(/class="coin-amount"/g)).toHaveLength(2);
    expect(words).toContain('46.50 USDC');
    expect(words).toMatch(/BNB Smart Chain 34\.00 USDC/);
    expect(words).toMatch(/Base 12\.50 USDC/);
    // A coin on one network has its amount once.
    expect(words.match(/[^+]0\.50 PI/g)).toHaveLength(1);
    expect(text.indexOf('class="moves"')).toBeLessThan(text.indexOf('class="coin-rows"'));
    expect(text.indexOf('/wallet/receive')).toBeLessThan(text.indexOf('/wallet/withdraw'));
  });

  test('says of an empty wallet what comes into it, with the ways to bring it in', async () => {
    const { text, words } = await (await person()).get('');
    expect(words).toContain('There is nothing here yet.');
    expect(text).toContain('href="/wallet/receive"');
    expect(text).not.toContain('class="coin-rows"');
  });
});

describe('the value in the user’s own money', () => {
  test('is shown with the rate and its time once a currency was chosen, and nothing is booked in it', async () => {
    await typeRate('USDC', '0.8');
    await typeRate('PI', '0.4');
    const own = await person({ 'usdc-base': 12_500_000n, pi: 100_000_000n });
    const before = await own.get('');
    expect(before.words).not.toContain('EUR');
    expect(before.text).toContain('href="/wallet/currency"');
    expect((await own.get('currency')).words).toContain('EUR · Euro');
    expect(await own.send('currency', { currency: 'EUR' })).toMatchObject({ status: 303, to: '/wallet/' });
    const { words } = await own.get('');
    expect(words).toContain('12.50 USDC ≈ 10.00 EUR');
    expect(words).toContain('1 USDC = 0.8 EUR · 2:32 PM UTC');
    expect(words).toContain('Together about 14.00 EUR');
    expect((await own.get('currency?lang=de')).text).toMatch(/<option value="EUR" selected>EUR · Euro</);
    const state = JSON.parse((await own.get('state')).text);
    expect(JSON.stringify(state)).not.toContain('EUR');
    expect(await own.send('currency', { currency: '' })).toMatchObject({ status: 303 });
    expect((await own.get('')).words).not.toContain('EUR');
  });

  test('says where there is no rate, and adds nothing up then', async () => {
    await typeRate('USDC', '0.8');
    const own = await person({ 'usdc-base': 12_500_000n, 'csk-bep20': 10n ** 18n });
    await own.send('currency', { currency: 'EUR' });
    const { words } = await own.get('');
    expect(words).toContain('1.00 CSK No rate in EUR now');
    expect(words).not.toContain('Together');
    clock.advance(2 * 24 * 3600);
    await own.send('sign-in', { username: own.username, password });
    expect((await own.get('')).words).toContain('12.50 USDC No rate in EUR now');
  });

  test('follows the fixed rates in test mode', async () => {
    const own = await person({ 'usdc-base': 12_500_000n }, 'test');
    expect((await own.send('currency', { currency: 'EUR', mode: 'test' })).to).toBe('/wallet/?mode=test');
    expect((await own.get('?mode=test')).words).toContain('12.50 USDC ≈ 10.00 EUR 1 USDC = 0.8 EUR · TEST');
  });

  test.each(['XAU', 'eur', 'USDC', '<b>', 'EUR,USD'])('is not shown in %s', async (currency) => {
    const own = await person();
    const { status, words } = await own.send('currency', { currency });
    expect([status, words.includes('Nothing was changed.')]).toEqual([400, true]);
  });
});

test('the ledger knows nothing of it', async () => {
  expect((await auditLedger(app.db)).findings).toEqual([]);
});
