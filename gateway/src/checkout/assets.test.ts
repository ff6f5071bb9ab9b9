import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadAssets, loadShopScripts } from './assets.ts';

const KIB = 1024;

const assets = await loadAssets('/pay');
const shopScripts = new Map(await loadShopScripts('https://pay.example'));

describe('the files of the page', () => {
  test('are one style sheet and its scripts, with a hash of their content in their names', () => {
    expect(assets.style.path).toMatch(/^\/pay\/page-[\w-]{16}\.css$/);
    expect(assets.script.path).toMatch(/^\/pay\/page-[\w-]{16}\.js$/);
    expect(assets.wallet.path).toMatch(/^\/pay\/wallet-[\w-]{16}\.js$/);
    expect(assets.transfer.path).toMatch(/^\/pay\/transfer-[\w-]{16}\.js$/);
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

  test('of paying by wallet load what asks the wallet only when it is pressed', async () => {
    const made = await import(`data:text/javascript,${encodeURIComponent(assets.transfer.body.toString())}`);
    const functions = ['prepare', 'send', 'isReverted', 'problemOf'];
    expect(functions.filter((name) => typeof made[name] !== 'function')).toEqual([]);
    expect(assets.wallet.body.toString()).not.toMatch(/eth_(?!accounts)/);
  });

  test('keep every text of the scripts as it was written', async () => {
    const folder = join(import.meta.dirname, '../../../web/checkout');
    const all = Object.values(assets).map(({ body }) => body.toString());
    for (const name of (await readdir(folder)).filter((each) => each.endsWith('.ts'))) {
      const code = (await readFile(join(folder, name), 'utf8')).replace(
        /^\s*(?:\/?\*|\/\/).*$|^import .*$/gm,
        '',
      );
      const literals = code.match(/'[^'\n]*'|`[^`\n]*`/g) ?? [];
      const lost = literals.filter((each) => each.includes(' ') && !all.some((text) => text.includes(each)));
      expect(lost).toEqual([]);
    }
  });

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
    expect(text.replaceAll('https://pay.example', '')).not.toMatch(
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

  test('of the wallet script is 3.5 KiB compressed, and of what it loads to pay 2 KiB', () => {
    expect(assets.wallet.gzip().length).toBeLessThan(3.5 * KIB);
    expect(assets.transfer.gzip().length).toBeLessThan(2 * KIB);
  });

  test('of the Pi script is 3 KiB compressed', () => {
    expect(assets.pi.gzip().length).toBeLessThan(3 * KIB);
  });
});
