import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { walletPerson } from '../../test/browser/wallet-person.ts';
import type { CreatedPayment } from '../../test/support/api.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';
import { findUserIds } from '../wallets/users.ts';
import { loadWalletAssets, type WalletAssets } from './assets.ts';

const KIB = 1024;
const password = 'correct horse battery staple';
let app: RunningApp;
let files: WalletAssets;
let pages: Record<string, string>;

/** Every page as somebody sees it who has much: all assets, and histories as long as a page of them. */
beforeAll(async () => {
  app = await startApp({ env: { WITHDRAWAL_CHECKS: '0' } });
  files = await loadWalletAssets('/wallet');
  const [own, other] = [walletPerson(app.baseUrl), walletPerson(app.baseUrl)];
  await other.send('sign-up', { username: 'the_other_one', password });
  await own.send('sign-up', { username: 'somebody_with_much', password });
  const owner = (await findUserIds(app.db, ['somebody_with_much'])).get('somebody_with_much') ?? '';
  for (const asset of ['usdc-base', 'usdt-bep20', 'csk-bep20', 'pi']) {
    await seedBalance(app.db, { owner, kind: 'user', mode: 'test', asset, units: 123_456_789_000_000_000n });
  }
  const to = `0x${'a'.repeat(40)}`;
  for (let count = 0; count < 30; count += 1) {
    const sent = {
      mode: 'test',
      to: 'the_other_one',
      asset: 'usdc-base',
      amount: `1.${count}1`,
      confirm: 'yes',
    };
    expect((await own.send('send', { ...sent, note: `For lunch ${count}` })).status).toBe(303);
  }
  for (let count = 0; count < 10; count += 1) {
    const out = { mode: 'test', asset: 'usdc-base', amount: `2.${count}1`, to, confirm: 'yes' };
    expect((await own.send('withdraw', out)).status).toBe(303);
  }
  const body = { amount: 7, currency: 'USDC', payment_type: 'deposit' };
  const { body: made } = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const { search } = new URL(made.data.PaymentURL);
  const shown = {
    ...{ 'sign-up': 'sign-up', 'sign-in': 'sign-in', forgotten: 'forgotten', offline: 'offline' },
    ...{ home: '?mode=test', history: 'history?mode=test', account: 'account', send: 'send?mode=test' },
    ...{ receive: 'receive', address: 'receive?mode=test&asset=usdc-base', withdraw: 'withdraw?mode=test' },
    pay: `pay${search}`,
  };
  const texts = Object.entries(shown).map(async ([name, path]) => {
    const lang = `${path.includes('?') ? '&' : '?'}lang=ar`;
    const visitor = name.startsWith('sign') ? walletPerson(app.baseUrl) : own;
    const { status, text } = await visitor.get(`${path}${lang}`);
    expect([name, status]).toEqual([name, 200]);
    return [name, text] as const;
  });
  pages = Object.fromEntries(await Promise.all(texts));
});

describe("the budget of the wallet's pages", () => {
  test('of the script is 8 KiB compressed', () => {
    expect(files.script.gzip().length).toBeLessThan(8 * KIB);
  });

  test('of the first load is 20 KiB compressed, of the fullest page in the longest letters', () => {
    const shared = files.script.gzip().length + files.style.gzip().length;
    const loads = Object.entries(pages).map(
      ([name, text]) => [name, shared + gzipSync(text).length] as const,
    );
    expect(loads.filter(([, bytes]) => bytes >= 20 * KIB)).toEqual([]);
    if (process.env.WEIGHTS) console.log(files.script.gzip().length, files.style.gzip().length, loads);
  });

  test('of requests is four: the page, its style, its script and the manifest', () => {
    for (const text of Object.values(pages)) {
      // The icon of the home screen is loaded when the page is put there.
      const loaded = [...text.matchAll(/<(?:link rel="(?!apple)|script|img)[^>]*(?:href|src)="([^"]+)"/g)];
      const requested = loaded.flatMap(([, address = '']) => (address.startsWith('data:') ? [] : [address]));
      const { style, script } = files;
      expect(requested).toEqual(['/wallet/manifest.webmanifest', style.path, script.path]);
    }
  });
});
