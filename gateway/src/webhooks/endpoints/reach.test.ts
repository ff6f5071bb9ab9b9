import { describe, expect, test } from 'vitest';
import { assertTarget, reachOf } from './reach.ts';

describe('a webhook address', () => {
  test.each([
    'https://example.com/hook',
    'http://example.com:8080/hook?a=1',
    'https://93.184.215.14/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  ])('%s is taken', (url) => {
    expect(() => assertTarget(url, 'test', 'public')).not.toThrow();
  });

  test.each([
    'http://10.0.0.1/x',
    'http://169.254.169.254/latest',
    'http://[::ffff:10.0.0.1]/',
    'http://167772161/',
    'http://0xa.1/',
    'http://012.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[fd00::1]/',
    'http://[::10.0.0.1]/',
    'http://localhost/',
    'http://localhost./',
    'http://shop.localhost:3000/',
    'http://１２７.0.0.1/',
  ])('%s is refused, as it leads into a private network', (url) => {
    expect(() => assertTarget(url, 'test', 'public')).toThrow(
      'url is invalid: must lead to the public internet',
    );
  });

  test.each(['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'example.com', ''])(
    '%j is refused, as it is no web address',
    (url) => {
      expect(() => assertTarget(url, 'test', 'any')).toThrow(
        'url is invalid: must be an absolute http or https URL',
      );
    },
  );

  test.each([22, 25, 81, 110, 444, 1023, 0])('may not have port %d, which is of another service', (port) => {
    const words = 'must have port 80, 443 or one above 1023';
    for (const reach of ['public', 'loopback', 'any'] as const) {
      expect(() => assertTarget(`https://example.com:${port}/`, 'test', reach)).toThrow(words);
    }
  });

  test.each([80, 443, 1024, 8443, 65535])('may have port %d', (port) => {
    for (const scheme of ['http', 'https']) {
      expect(() => assertTarget(`${scheme}://example.com:${port}/`, 'test', 'public')).not.toThrow();
    }
  });

  test('may not carry credentials', () => {
    expect(() => assertTarget('https://user:pass@example.com/', 'test', 'any')).toThrow(/credentials/);
    expect(() => assertTarget('https://user@example.com/', 'test', 'any')).toThrow(/credentials/);
  });

  test('must be https in live mode, except on this machine where that is in reach', () => {
    expect(() => assertTarget('http://example.com/', 'live', 'public')).toThrow(/https/);
    expect(() => assertTarget('http://10.0.0.1/', 'live', 'any')).toThrow(/https/);
    expect(() => assertTarget('http://127.0.0.1:4100/', 'live', 'loopback')).not.toThrow();
  });

  test('on this machine does not open the networks around it', () => {
    expect(() => assertTarget('http://localhost:4100/', 'test', 'loopback')).not.toThrow();
    expect(() => assertTarget('http://10.0.0.1/', 'test', 'loopback')).toThrow(/public/);
    expect(() => assertTarget('http://0.0.0.0/', 'test', 'loopback')).toThrow(/public/);
    expect(() => assertTarget('http://postgres/', 'test', 'loopback')).toThrow(/public/);
    expect(() => assertTarget('http://shop.internal:3000/', 'test', 'any')).not.toThrow();
  });
});

test.each([
  ['http://localhost:3000/hook', 'localhost:3000/hook'],
  ['https://localhost:3443/', 'https://localhost:3443'],
  ['http://10.0.0.7:8080/a/b', '10.0.0.7:8080/a/b'],
  ['http://[::1]:3000/', "'[::1]:3000'"],
  ["http://localhost:3000/it's?a=`1`&b=$(id)", "'localhost:3000/it%27s?a=%601%60&b=$(id)'"],
])('a refusal of %s says which command forwards there, as one word for a shell', (url, address) => {
  expect(() => assertTarget(url, 'test', 'public')).toThrow(
    `For a server on this computer run \`npx florin listen --forward-to ${address}\``,
  );
});

test('only the operator opens everything; an integration may at most open this machine', () => {
  const own = { integration: { allowPrivateWebhooks: true }, mode: 'live' } as const;
  const others = { integration: { allowPrivateWebhooks: false }, mode: 'live' } as const;
  expect(reachOf({ allowPrivate: true, isLocal: false }, others)).toBe('any');
  expect(reachOf({ allowPrivate: false, isLocal: false }, own)).toBe('loopback');
  expect(reachOf({ allowPrivate: false, isLocal: false }, others)).toBe('public');
});

test('where only this machine reaches the gateway, every integration may call it in test mode, and no other private network', () => {
  const terms = { allowPrivate: false, isLocal: true };
  const integration = { allowPrivateWebhooks: false };
  expect(reachOf(terms, { integration, mode: 'test' })).toBe('loopback');
  expect(reachOf(terms, { integration, mode: 'live' })).toBe('public');
});
