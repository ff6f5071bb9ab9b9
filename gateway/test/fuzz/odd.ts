import type { Random } from './random.ts';

// What no honest program sends, and what it may send although nobody expects it.

const texts: readonly string[] = [
  ...['', ' ', '0', '-1', 'null', 'true', '[]', '{}', 'NaN', '1e999', '__proto__', 'constructor', 'toString'],
  ...['\0', 'a\0b', '\u0001', '\t', '\r\n', 'a\r\nset-cookie: x=y', '\u007f', '\u0085', '\u2028', '\ufeff'],
  ...['\ud800', 'a\udc00b', '\ud83d\ude00', 'é', 'e\u0301', 'ß', 'İ', 'ﬁ', '\u202etxt', '𝒜𝒹𝒶', '中文', '؀'],
  ...["' OR 1=1--", '"; DROP TABLE payments; --', '%', '_', '\\', '%00', '%zz', '../../etc/passwd', '#{7*7}'],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '{{7*7}}',
    '`id`',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'PAY_',
    'TEST_',
    'sk_test_',
  ],
  ...[
    '9999-12-31',
    '0001-01-01',
    '2026-02-30',
    '2026-11-20T18:00:00+14:00',
    '1970-01-01T00:00:00Z',
    '275761-01-01',
  ],
  ...['ada@example.com', 'a@b', '@', 'ada@example.com\n', '"a b"@example.com', 'ada@xn--exmple-cua.com'],
  ...['usdc-base', 'pi', 'USDC', 'PI', 'test', 'live', 'owner', 'success', 'deposit', 'payment_completed'],
];

/** Addresses that lead to this machine alone, or nowhere: what is set is called. */
export const urls: readonly string[] = [
  ...['http://127.0.0.1:9/', 'https://127.0.0.1:9/hook?a=b', 'http://localhost:1/', 'http://[::1]:9/x'],
  ...[
    'http://',
    'http:',
    '//',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'http://127.0.0.1:99999/',
    'http://%00/',
  ],
  ...[
    'http://user:pw@127.0.0.1:9/',
    'http://127.1:9/',
    'http://0x7f.1:9/',
    'data:text/html,x',
    'http://127.0.0.1:22/',
  ],
];

const numbers: readonly number[] = [
  ...[0, -0, 1, -1, 0.1, 1e-7, 1e-8, 1e-18, 5e-324, 25, 12.5, 100, 101, 1e6, 999999999999999, 1e15, 1e21],
  ...[
    1e308,
    -1e308,
    2 ** 31,
    -(2 ** 31),
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    0.30000000000000004,
    123456789.12345679,
  ],
];

export function oddText(random: Random): string {
  if (random.chance(0.05)) return 'x'.repeat(random.pick([100, 255, 256, 300, 1001, 2049, 9000]));
  if (random.chance(0.05)) return random.pick(urls);
  const text = random.pick(texts);
  return random.chance(0.15) ? text + random.pick(texts) : text;
}

export const oddNumber = (random: Random): number => random.pick(numbers);

/** Any value of JSON, often of the wrong type. */
export function oddValue(random: Random, depth = 0): unknown {
  switch (random.int(depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return oddNumber(random);
    case 3:
    case 4:
      return oddText(random);
    case 5:
      return Array.from({ length: random.int(4) }, () => oddValue(random, depth + 1));
    case 6:
      return {};
    default:
      return Object.fromEntries(
        Array.from({ length: random.int(4) }, () => [oddText(random), oddValue(random, depth + 1)]),
      );
  }
}

/** A body that is no JSON, or JSON that is hard to take. */
export function oddBody(random: Random): string {
  const depth = random.pick([50, 500, 5_000, 30_000]);
  switch (random.int(12)) {
    case 0:
      return '['.repeat(depth) + ']'.repeat(depth);
    case 1:
      return `${'{"a":'.repeat(depth / 5)}1${'}'.repeat(depth / 5)}`;
    case 2:
      return '{"amount":1,"amount":2,"__proto__":{"isOperator":true}}';
    case 3:
      return '{"constructor":{"prototype":{"a":1}},"amount":12345678901234567890123.1}';
    case 4:
      return `{"${'k'.repeat(depth)}":1}`;
    case 5:
      return '{"amount":1';
    case 6:
      return random.pick([
        '',
        ' ',
        '\ufeff{}',
        'undefined',
        '{"a":01}',
        "{'a':1}",
        '{"a":NaN}',
        '[1,]',
        '"\u0001"',
      ]);
    case 7:
      return `[${'0,'.repeat(depth)}0]`;
    case 8:
      return '{"amount":25,"currency":"USDC","payment_type":"deposit","payment_note":"\\ud800\\u0000"}';
    case 9:
      // More than any body may hold, rarely: it takes time to send.
      return random.chance(0.2) ? JSON.stringify('y'.repeat(70_000)) : 'null';
    default:
      return JSON.stringify(oddValue(random));
  }
}
