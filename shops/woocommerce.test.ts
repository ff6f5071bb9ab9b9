import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JudgedWebhook } from '../sdk/conformance/cases.ts';
import { compiled, templateOf, translated, translationsIn } from './texts.ts';

// What Florin for WooCommerce shows without a shop; its stories need one: shops/harness.

const plugin = join(import.meta.dirname, 'woocommerce');
const files = globSync('**/*.php', { cwd: plugin }).sort();
const canRun = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

/** Where that library does otherwise: it reads a number out of the beginning of a header, texts alone, and each secret as it is. */
const otherwise = ['something behind the time', 'no UTF-8', 'line break behind the endpoint secret'];

/** Results of the parts that need no WordPress, one for each case. */
function judged(cases: object[]): unknown[] {
  const input = cases.map((each) => `${JSON.stringify(each)}\n`).join('');
  const output = execFileSync('php', [join(plugin, 'tests/pure.php')], { input, encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe.runIf(canRun('php'))('the PHP of the plug-in', () => {
  test('compiles, without a warning', () => {
    const faults = files
      .map((file) =>
        spawnSync('php', ['-n', '-d', 'error_reporting=-1', '-l', file], { cwd: plugin, encoding: 'utf8' }),
      )
      .filter(
        ({ status, stdout, stderr }) => status !== 0 || !stdout.startsWith('No syntax') || stderr !== '',
      );
    expect(faults).toEqual([]);
    expect(files.length).toBeGreaterThan(15);
  });

  test('judges the signature of an endpoint as a library that others wrote', () => {
    const all = JSON.parse(
      readFileSync(join(import.meta.dirname, '../sdk/conformance/webhooks.json'), 'utf8'),
    ) as JudgedWebhook[];
    const cases = all
      .filter(
        ({ endpointSecret, toleranceSeconds }) => typeof endpointSecret === 'string' && !toleranceSeconds,
      )
      .filter(({ name }) => !otherwise.some((words) => name.includes(words)));
    onTestFinished(() => void vi.useRealTimers());
    const expected = cases.map(({ body, headers, endpointSecret, now }) => {
      vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
      try {
        new Webhook(endpointSecret as string).verify(Buffer.from(body, 'base64'), headers);
        return true;
      } catch (error) {
        // It parses the body once the signature fits.
        return error instanceof SyntaxError;
      }
    });
    const results = judged(cases.map((each) => ({ ...each, kind: 'webhook' })));
    const wrong = cases.filter((_, index) => results[index] !== expected[index]);
    expect(wrong.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([]);
    expect(results.filter(Boolean).length).toBeGreaterThan(50);
    expect(results.filter((result) => !result).length).toBeGreaterThan(50);
  });

  test('reads an order out of its own references alone', () => {
    const references = {
      'wc-0a1b2c3d-17-1': 17,
      'wc-0a1b2c3d-17-12': 17,
      'wc-0a1b2c3d-17': 0,
      'wc-0A1B2C3D-17-1': 0,
      'x-wc-0a1b2c3d-17-1': 0,
      'wc-0a1b2c3d-17-1 ': 0,
      'wc-0a1b2c3d--17-1': 0,
      'ORDER-17': 0,
      '': 0,
    };
    const results = judged(Object.keys(references).map((reference) => ({ kind: 'reference', reference })));
    expect(results).toEqual(Object.values(references));
  });
});

test.runIf(canRun('phpcs'))('phpcs finds nothing in the PHP of the plug-in, by PSR-12', () => {
  const { status, stdout } = spawnSync('phpcs', ['-s', '--no-cache', '--standard=phpcs.xml', '.'], {
    cwd: plugin,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test('every text of the PHP stands in the .pot: node shops/texts.ts', () => {
  const { current, expected } = templateOf();
  expect(current).toBe(expected);
  const words = files.flatMap((file) => [
    ...readFileSync(join(plugin, file), 'utf8').matchAll(/'florin-for-woocommerce'\s*\)/g),
  ]);
  // Each text is found once; one of them is said twice, and the head has one more.
  expect(expected.match(/^msgid "./gm)?.length).toBeGreaterThan(words.length - 10);
});

test.each(translated)('%s has every text, with its placeholders', (file) => {
  const texts = translationsIn(join(plugin, 'languages/florin-for-woocommerce.pot'));
  const translations = translationsIn(file);
  expect([...translations.keys()].sort()).toEqual([...texts.keys()].sort());
  const placeholders = (text: string) => (text.match(/%(?:\d\$)?[sd]/g) ?? []).sort();
  for (const [text, translation] of translations) {
    expect(translation).not.toBe('');
    expect(placeholders(translation), text).toEqual(placeholders(text));
  }
  const [name, bytes] = compiled(file);
  expect(name).toMatch(/^florin-for-woocommerce-[a-z]{2}_[A-Z]{2}\.mo$/);
  // The number with which such a file begins.
  expect(bytes.readUInt32LE()).toBe(0x950412de);
});

test('the plug-in has the version of the gateway, in its head and in the file that WordPress shows', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  const head = readFileSync(join(plugin, 'florin-for-woocommerce.php'), 'utf8');
  expect(/^ \* Version: (.+)$/m.exec(head)?.[1]).toBe(version);
  expect(/^Stable tag: (.+)$/m.exec(readFileSync(join(plugin, 'readme.txt'), 'utf8'))?.[1]).toBe(version);
});
