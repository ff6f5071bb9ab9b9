import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { loadAssets, loadShopScripts } from './assets.ts';
import { LOCALES } from './locale.ts';
import { renderPage } from './views/render.ts';

const KIB = 1024;

const assets = await loadAssets('/pay');
const shopScripts = new Map(await loadShopScripts('https://pay.example'));

describe('the files of the page', () => {
  test('are one style sheet and three scripts, with a hash of their content in their names', () => {
    expect(assets.style.path).toMatch(/^\/pay\/page-[\w-]{16}\.css$/);
    expect(assets.script.path).toMatch(/^\/pay\/page-[\w-]{16}\.js$/);
    expect(assets.wallet.path).toMatch(/^\/pay\/wallet-[\w-]{16}\.js$/);
    expect(assets.pi.path).toMatch(/^\/pay\/pi-[\w-]{16}\.js$/);
    expect(assets.style.etag).toBe(`"${assets.style.path.slice('/pay/page-'.length, -'.css'.length)}"`);
  });

  test('are compressed with gzip and with brotli', () => {
    for (const { body, gzip, brotli } of Object.values(assets)) {
      expect(gunzipSync(gzip())).toEqual(body);
      expect(brotliDecompressSync(brotli())).toEqual(body);
    }
  });

  test('are joined into a script that parses and has no imports', () => {
    const script = assets.script.body.toString();
    expect(() => new Function(script)).not.toThrow();
    expect(script).not.toMatch(/^(import|export) /m);
  });

  test.each(['wallet', 'pi'] as const)(
    'are joined into a script for paying by %s that is a module without imports',
    async (name) => {
      const script = assets[name].body.toString();
      expect(script).not.toMatch(/^import /m);
      const made = await import(`data:text/javascript,${encodeURIComponent(script)}`);
      expect(made).toMatchObject({ offer: expect.any(Function), press: expect.any(Function) });
    },
  );

  test('load nothing from another address', () => {
    for (const { body } of Object.values(assets)) {
      expect(body.toString()).not.toMatch(/https?:|url\(|@import/);
    }
  });
});

describe('the scripts of shops', () => {
  test('are at addresses that stay', () => {
    expect([...shopScripts.keys()]).toEqual(['/florin.js', '/modal/btcpay.js']);
  });

  test.each([...shopScripts])('%s has no name of its own but what it gives', (_, { body }) => {
    const text = body.toString();
    expect(() => new Function(text)).not.toThrow();
    expect(text).toMatch(/^\(\(\)=>\{[\s\S]*\}\)\(\)$/);
    expect(text.replace('https://pay.example', '')).not.toMatch(
      /^(import|export) |https?:|cookie|localStorage|innerHTML|eval/m,
    );
  });
});

describe('the budget', () => {
  test('of florin.js is 3 KB as it is, and of what it adds to the page for frames 0.5 KiB compressed', () => {
    expect(shopScripts.get('/florin.js')?.body.length).toBeLessThan(3_000);
    expect(assets.frame.gzip().length).toBeLessThan(0.5 * KIB);
  });

  test('of the script is 3.5 KiB compressed', () => {
    expect(assets.script.gzip().length).toBeLessThan(3.5 * KIB);
  });

  test('of the wallet script is 5 KiB compressed', () => {
    expect(assets.wallet.gzip().length).toBeLessThan(5 * KIB);
  });

  test('of the Pi script is 3 KiB compressed', () => {
    expect(assets.pi.gzip().length).toBeLessThan(3 * KIB);
  });

  test('of the first load is 30 KiB compressed, in every state and language', () => {
    const files = Object.values(assets).reduce((sum, { gzip }) => sum + gzip().length, 0);
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
