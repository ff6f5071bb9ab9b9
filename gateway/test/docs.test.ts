import { existsSync, globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { generatedDocs } from '../../scripts/docs.ts';
import { endpointKey, standardSignature } from '../src/kit/net/standard-webhooks.ts';
import { CreateBody, readCreateBody } from '../src/payments/create/schema.ts';
import type { PaymentStatus } from '../src/payments/payment/payment.ts';
import { transitions } from '../src/payments/payment/state.ts';
import { bodySignature, newEndpointSecret } from '../src/webhooks/endpoints/sign.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', 'data/**', 'screenshots/**'] }).sort();

const documents = find('**/*.md');

type Fence = { language: string; code: string };

function fencesOf(text: string): Fence[] {
  const found = text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language, code]) => ({ language: language!, code: code! }));
}

/** The anchors of a document's headings, as a repository's host makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The cells of every table row. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| ?(.*) \|$/gm)].map(([, row]) => row!.split('|'));
}

const quoted = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

test.each(generatedDocs())('what the code says of itself in $path is fresh', ({ current, expected }) => {
  expect(current).toBe(expected);
});

describe.each(documents)('%s', (path) => {
  const text = read(path);

  test('leads only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const broken = links.filter((link) => {
      if (/^(?:https?:|mailto:)/.test(link)) return false;
      const [file, anchor] = link.split('#') as [string, string?];
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('shows code that parses', () => {
    const refused = fencesOf(text).flatMap(({ language, code }) => {
      try {
        if (language === 'ts' || language === 'js') stripTypeScriptTypes(code);
        if (language === 'json') JSON.parse(code);
        return [];
      } catch (error) {
        return [`${(error as Error).message}\n${code}`];
      }
    });
    expect(refused).toEqual([]);
  });
});

describe('README.md', () => {
  const fences = fencesOf(read('README.md'));
  const bodyIn = (language: string, pattern: RegExp): Record<string, unknown> => {
    const literal = fences
      .filter((fence) => fence.language === language)
      .map(({ code }) => pattern.exec(code)?.[1])
      .find((found) => found !== undefined);
    return runInNewContext(`(${literal})`);
  };

  // Amounts and addresses are read as what was sent and what it means.
  const readAs = ({ amount, currency, success_url, failure_url, ...rest }: Record<string, unknown>) => ({
    ...rest,
    asks: { sent: amount, currency },
    ...(success_url ? { success_url: { uri: success_url } } : {}),
    ...(failure_url ? { failure_url: { uri: failure_url } } : {}),
  });

  test.each([
    ['Node', 'ts', /payments\.create\(\s*(\{.*?\}),\n/s],
    ['curl', 'sh', /-d '(\{.*?\})'/s],
  ])('creates a payment in %s by fields that the gateway knows, and takes', (_, language, pattern) => {
    const body = bodyIn(language, pattern);
    expect(Object.keys(CreateBody.properties)).toEqual(expect.arrayContaining(Object.keys(body)));
    expect(readCreateBody(body)).toMatchObject(readAs(body));
  });
});

test('docs/webhooks.md verifies webhooks in plain Node as they are signed', async () => {
  const { code } = fencesOf(read('docs/webhooks.md')).find(({ language }) => language === 'js')!;
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const [secretKey, endpointSecret] = ['sk_test_0123456789abcdefghijABCDEFGHIJ01', newEndpointSecret()];
  const body = Buffer.from('{"event_id":"019aa1d2","amount":25.5}');
  const signedAt = (timestamp: number) => ({
    'x-signature': bodySignature(body, Buffer.from(secretKey)),
    'webhook-id': '019aa1d2',
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': standardSignature({ id: '019aa1d2', timestamp, body }, [
      endpointKey(newEndpointSecret()),
      endpointKey(endpointSecret),
    ]),
  });
  const now = Math.floor(Date.now() / 1000);
  const judge = (headers: object, bytes = body) => isGenuine(bytes, headers, secretKey, endpointSecret);

  expect(judge(signedAt(now))).toBe(true);
  expect(judge(signedAt(now), Buffer.from('{"event_id":"019aa1d2","amount":2550}'))).toBe(false);
  expect(judge(signedAt(now - 3600))).toBe(false);
  expect(judge({ ...signedAt(now), 'webhook-signature': 'v1,' })).toBe(false);
  expect(judge({})).toBe(false);
});

test('docs/states.md has every move that a payment may make, and no other', () => {
  const moves = (from: readonly PaymentStatus[], to: readonly string[], event: string): string[] =>
    from.flatMap((start) => to.map((end) => `${start} -> ${end}: ${event}`));
  const documented = rowsOf(read('docs/states.md')).flatMap(([from, to, , event]) =>
    moves(quoted(from) as PaymentStatus[], quoted(to), quoted(event)[0] ?? ''),
  );
  const allowed = transitions.flatMap(({ from, to, event }) => moves(from, [to], event));
  expect(documented.filter((move) => /payment_/.test(move)).sort()).toEqual(allowed.sort());
});

test('docs/threat-model.md names for each row of what a thief takes a test that exists', () => {
  const [, section = ''] = read('docs/threat-model.md').split('## If the server is stolen');
  const [, , ...rows] = rowsOf(section.split('\n## ')[0]!);
  const named = rows.map(([who = '', , , , shown = '']) => {
    const parts = [...shown.matchAll(/`([^`]+)` ((?:"[^"]+"(?:, )?)+)/g)];
    return { who: who.trim(), tests: parts.map(([, file, titles]) => [file!, titles!] as const) };
  });
  expect(named.length).toBeGreaterThan(15);
  const missing = named.flatMap(({ who, tests }) => {
    const lacking = tests.flatMap(([file, titles]) =>
      [...titles.matchAll(/"([^"]+)"/g)].flatMap(([, title]) => (read(file).includes(title!) ? [] : [title])),
    );
    return tests.length === 0 || lacking.length > 0 ? [{ who, lacking }] : [];
  });
  expect(missing).toEqual([]);
});

test('docs/dependencies.md gives every dependency its line, and no other', () => {
  const manifests = find('**/package.json').map((path) => JSON.parse(read(path)));
  const kinds = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies'];
  const listed = manifests.flatMap((manifest) => kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
  const explained = rowsOf(read('docs/dependencies.md')).flatMap(([name]) => quoted(name));
  expect([...new Set(explained)].sort()).toEqual([...new Set(listed)].sort());
});

const records = documents.filter((path) => /^docs\/decisions\/\d/.test(path));

test.each(['ARCHITECTURE.md', ...records])('%s names only files and functions that exist', (path) => {
  const names = [...read(path).matchAll(/`([\w./-]+\.(?:ts|sol|sql))(?:#(\w+))?`/g)];
  const wrong = names.filter(([, file, name]) => {
    const found = [file!, `gateway/src/${file}`].find((each) => existsSync(join(root, each)));
    if (!found) return !globSync(`gateway/src/**/${file}`, { cwd: root }).length;
    return (
      name !== undefined &&
      !new RegExp(`^export (?:async )?(?:function|const) ${name}\\b`, 'm').test(read(found))
    );
  });
  expect(wrong.map(([whole]) => whole)).toEqual([]);
});

test('docs/decisions/README.md lists every record by its number and title', () => {
  const list = read('docs/decisions/README.md');
  const lines = records.map((path) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(path)) ?? [];
    return `${number}. [${title}](${path.split('/').at(-1)})`;
  });
  expect(lines.length).toBeGreaterThan(0);
  expect([...list.matchAll(/^\d+\. .+$/gm)].map(([line]) => line).sort()).toEqual(lines.sort());
});
