import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { NOW, PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { type CheckoutAssets, loadAssets } from './assets.ts';
import { LOCALES } from './locale.ts';
import { renderPage } from './views/render.ts';

const KIB = 1024;
let assets: CheckoutAssets;

beforeAll(async () => {
  assets = await loadAssets('/pay');
});

describe('the files of the page', () => {
  test('are one style sheet and three scripts, named by their content', () => {
    expect(assets.style.path).toMatch(/^\/pay\/page-[\w-]{16}\.css$/);
    expect(assets.script.path).toMatch(/^\/pay\/page-[\w-]{16}\.js$/);
    expect(assets.wallet.path).toMatch(/^\/pay\/wallet-[\w-]{16}\.js$/);
    expect(assets.pi.path).toMatch(/^\/pay\/pi-[\w-]{16}\.js$/);
    expect(assets.style.etag).toBe(`"${assets.style.path.slice('/pay/page-'.length, -'.css'.length)}"`);
  });

  test('come compressed both ways', () => {
    for (const { body, gzip, brotli } of Object.values(assets)) {
      expect(gunzipSync(gzip)).toEqual(body);
      expect(brotliDecompressSync(brotli)).toEqual(body);
    }
  });

  test('make a script that parses, with no import left', () => {
    const script = assets.script.body.toString();
    expect(() => new Function(script)).not.toThrow();
    expect(script).not.toMatch(/^(import|export) /m);
  });

  test.each(['wallet', 'pi'] as const)(
    'make a script for paying by %s that is a module of its own',
    async (name) => {
      const script = assets[name].body.toString();
      expect(script).not.toMatch(/^import /m);
      const made = await import(`data:text/javascript,${encodeURIComponent(script)}`);
      expect(made).toMatchObject({ offer: expect.any(Function), press: expect.any(Function) });
    },
  );

  test('load nothing from elsewhere', () => {
    for (const { body } of Object.values(assets)) {
      expect(body.toString()).not.toMatch(/https?:|url\(|@import/);
    }
  });
});

describe('the budget', () => {
  test('of the script is 3 KiB compressed', () => {
    expect(assets.script.gzip.length).toBeLessThan(3 * KIB);
  });

  test('of the script that speaks with wallets is 5 KiB more', () => {
    expect(assets.wallet.gzip.length).toBeLessThan(5 * KIB);
  });

  test('of the script that speaks with Pi is 3 KiB more', () => {
    expect(assets.pi.gzip.length).toBeLessThan(3 * KIB);
  });

  test('of the first load is 30 KiB compressed, in every state and language', () => {
    const files = Object.values(assets).reduce((sum, { gzip }) => sum + gzip.length, 0);
    for (const payment of Object.values(PAYMENTS)) {
      for (const locale of LOCALES) {
        const page = renderPage(payment, {
          locale,
          payPath: '/pay',
          origin: 'https://pay.example',
          now: NOW,
          assets,
        });
        expect(files + gzipSync(page).length).toBeLessThan(30 * KIB);
      }
    }
  });
});
