import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../test/support/data-dir.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { settings } from './settings.ts';

/** A file that exists; its content does not matter. */

const directory = await testFolder();
const file = join(directory, 'file');
await writeFile(file, 'content');

type Environment = Record<string, string>;

function faultsOf(env: Environment): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test('an empty environment is valid', () => {
  const dataDir = resolve('data');
  const { assets, ...config } = readConfig({});
  expect(config).toEqual({
    host: '127.0.0.1',
    port: 4000,
    baseUrl: 'http://127.0.0.1:4000',
    payUrl: 'http://127.0.0.1:4000/pay',
    dataDir,
    database: { kind: 'embedded' },
    standby: null,
    masterKey: join(dataDir, 'master.key'),
    demo: 'when-new',
    shopPort: 4100,
    chainPort: null,
    piPort: null,
    metricsPort: 4001,
    metricsHost: '127.0.0.1',
    logLevel: 'info',
    rateLimit: true,
    trustProxy: false,
    tls: null,
    smtpUrl: null,
    mailFrom: 'Florin <florin@localhost>',
    receiptMails: true,
    directSettlement: 'offered',
    rates: { kind: 'table', usd: {} },
    webhookAllowPrivate: false,
    eventRetentionDays: 90,
    securityRetentionDays: 365,
    securityAlerts: [],
    origins: [],
    stampHeadsFile: '',
    walletBackend: null,
    securityContact: null,
    wallets: 'open',
    backups: null,
    proveAt: null,
    traces: null,
    kyc: null,
    telegram: null,
    withdrawalChecks: null,
    chains: [],
    pi: null,
    testPi: null,
  } satisfies Omit<Config, 'assets'>);
  expect(assets.all).toHaveLength(9);
});

test('an empty or blank value means the default', () => {
  const blank = Object.fromEntries(settings.map(({ name }) => [name, ' ']));
  expect(readConfig(blank)).toEqual(readConfig({}));
});

describe('every fault is reported at once', () => {
  test('with the name that it is about', () => {
    const bad = {
      HOST: 'nowhere',
      PORT: 'abc',
      BASE_URL: 'gateway.example',
      PAY_URL: 'ftp://pay.example/pay',
      DATABASE_URL: 'mysql://localhost',
      READ_DATABASE_URL: 'standby.example',
      READ_DATABASE_MAX_AGE: 'a minute',
      DEMO: 'yes',
      SHOP_PORT: '70000',
      METRICS_PORT: '0',
      METRICS_HOST: 'everywhere',
      LOG_LEVEL: 'loud',
      RATE_LIMIT: 'off',
      TRUST_PROXY: 'true',
      TLS_CERT: join(tmpdir(), 'no-such-file'),
      SMTP_URL: 'mail.example',
      MAIL_FROM: 'the shop',
      TELEGRAM_BOT_TOKEN: 'a secret',
      TELEGRAM_API_URL: 'telegram.example',
      RATES: 'DOGE=1',
      WEBHOOK_ALLOW_PRIVATE: '2',
      EVENT_RETENTION_DAYS: '29',
      WALLET_BACKEND_URL: 'wallets.example',
      CONFIG_FILE: join(tmpdir(), 'no-such-file'),
    };
    const names = faultsOf(bad).map((fault) => fault.split(' ')[0]);
    // Besides, a database needs a key file, and so on.
    expect([...new Set(names)].sort()).toEqual([...Object.keys(bad), 'MASTER_KEY_FILE'].sort());
  });

  test('also where no address can be made of them', () => {
    expect(faultsOf({ HOST: 'nowhere', PORT: 'abc' })).toEqual([
      'HOST must be an IP address or localhost',
      'PORT must be a port number from 1 to 65535',
    ]);
  });

  test('and as one text, a line for each', () => {
    const read = () => readConfig({ PORT: '-1', LOG_LEVEL: 'loud' });
    expect(read).toThrow(
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent\nPORT must be a port number',
    );
  });
});

describe('the sender of e-mails', () => {
  test.each<[string, Environment]>([
    ['Florin <florin@pay.example>', { BASE_URL: 'https://pay.example/florin' }],
    ['Florin <florin@localhost>', { BASE_URL: 'http://[::1]:4000' }],
    ['shop@example.com', { MAIL_FROM: 'shop@example.com' }],
    ['The Shop <shop@example.com>', { MAIL_FROM: 'The Shop <shop@example.com>' }],
  ])('is %s with %j', (mailFrom, env) => {
    expect(readConfig(env)).toMatchObject({ mailFrom });
  });

  test.each(['shop', '<shop>', 'A <a@b> <c@d>', 'a b@c', 'A <a@b>\r\nBcc: c@d'])('is not %j', (sender) => {
    expect(faultsOf({ MAIL_FROM: sender })).toEqual([
      'MAIL_FROM must be an e-mail address, or one in <> after a name',
    ]);
  });
});

describe('the addresses', () => {
  test.each<[string, Environment, string, string]>([
    ['HOST and PORT', { HOST: '10.0.0.7', PORT: '8080' }, 'http://10.0.0.7:8080', '/pay'],
    ['localhost for every IPv4 address', { HOST: '0.0.0.0' }, 'http://localhost:4000', '/pay'],
    ['localhost for every IPv6 address', { HOST: '::' }, 'http://localhost:4000', '/pay'],
    ['brackets around an IPv6 address', { HOST: '::1' }, 'http://[::1]:4000', '/pay'],
    [
      'BASE_URL, without its last slash',
      { BASE_URL: 'https://api.example/florin/' },
      'https://api.example/florin',
      '/pay',
    ],
  ])('are made of %s', (_, env, baseUrl, payPath) => {
    expect(readConfig(env)).toMatchObject({ baseUrl, payUrl: baseUrl + payPath });
  });

  test('are https where the gateway has a certificate', () => {
    const config = readConfig({ TLS_CERT: file, TLS_KEY: file });
    expect(config).toMatchObject({ baseUrl: 'https://127.0.0.1:4000', tls: { certFile: file } });
    expect(faultsOf({ TLS_CERT: file })).toEqual(['TLS_CERT and TLS_KEY go together']);
    expect(faultsOf({ TLS_KEY: file })).toEqual(['TLS_CERT and TLS_KEY go together']);
  });

  test('of the page may be another site, which has a path', () => {
    const env = { BASE_URL: 'https://api.example', PAY_URL: 'https://pay.example/go/' };
    expect(readConfig(env)).toMatchObject({
      baseUrl: 'https://api.example',
      payUrl: 'https://pay.example/go',
    });
    expect(faultsOf({ PAY_URL: 'https://pay.example' })).toEqual(['PAY_URL needs a path, such as /pay']);
    expect(faultsOf({ PAY_URL: 'https://pay.example/' })).toEqual(['PAY_URL needs a path, such as /pay']);
  });

  test.each(['https://pay.example/pay?shop=1', 'https://pay.example/pay#top', 'https://pay example/pay'])(
    'have no query or fragment, for both are added to: %s',
    (address) => {
      expect(faultsOf({ PAY_URL: address })).toEqual(['PAY_URL is not a valid address']);
      expect(faultsOf({ BASE_URL: address })).toEqual(['BASE_URL is not a valid address']);
    },
  );

  test('need three different ports', () => {
    const clash = ['PORT, METRICS_PORT, SHOP_PORT, CHAIN_PORT and PI_PORT must differ'];
    expect(faultsOf({ PORT: '4001' })).toEqual(clash);
    expect(faultsOf({ CHAIN_PORT: '4321', PI_PORT: '4321' })).toEqual(clash);
    expect(faultsOf({ METRICS_PORT: '4100' })).toEqual(clash);
    expect(faultsOf({ METRICS_PORT: 'x', SHOP_PORT: 'y' })).toHaveLength(2);
  });
});

describe('the database', () => {
  const url = 'postgres://florin@db.example/florin';

  test('is an external one when its address is set, and then the operator keeps the master key', () => {
    const config = readConfig({ DATABASE_URL: url, MASTER_KEY_FILE: file });
    expect(config).toMatchObject({ database: { kind: 'external', url }, masterKey: file });
    expect(faultsOf({ DATABASE_URL: url })).toEqual(['MASTER_KEY_FILE is required with DATABASE_URL']);
  });

  test.each<[string, string | undefined, Config['demo']]>([
    ['embedded', undefined, 'when-new'],
    ['embedded', '1', 'always'],
    ['embedded', '0', 'never'],
    ['external', undefined, 'never'],
    ['external', '1', 'always'],
    ['external', '0', 'never'],
  ])('that is %s with DEMO=%s has a demo: %s %s', (kind, demo, seeded) => {
    const external = { DATABASE_URL: url, MASTER_KEY_FILE: file };
    const env = { ...(kind === 'external' ? external : {}), ...(demo === undefined ? {} : { DEMO: demo }) };
    expect(readConfig(env).demo).toBe(seeded);
  });

  test('has a demo by itself only where other machines do not reach it', () => {
    const demoAt = (HOST: string, DEMO = '') => readConfig({ HOST, DEMO }).demo;
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.8.8.8']) expect(demoAt(host)).toBe('when-new');
    for (const host of ['0.0.0.0', '::', '192.0.2.1']) expect(demoAt(host)).toBe('never');
    expect(demoAt('0.0.0.0', '1')).toBe('always');
  });
});

test('another system of wallets needs its address and its token together', () => {
  const url = 'https://wallets.example';
  const together = ['WALLET_BACKEND_URL and WALLET_BACKEND_TOKEN_FILE go together'];
  expect(faultsOf({ WALLET_BACKEND_URL: url })).toEqual(together);
  expect(faultsOf({ WALLET_BACKEND_TOKEN_FILE: file })).toEqual(together);
  const { walletBackend } = readConfig({ WALLET_BACKEND_URL: url, WALLET_BACKEND_TOKEN_FILE: file });
  expect(walletBackend).toEqual({ url, token: file, name: 'Florin' });
});

test('further origins are addresses without a path', () => {
  expect(readConfig({ ORIGINS: 'https://a.example http://10.0.0.5:4000/' }).origins).toEqual([
    'https://a.example',
    'http://10.0.0.5:4000',
  ]);
  const fault = ['ORIGINS must be addresses such as https://florin.lan, without a path'];
  for (const value of ['a.example', 'https://a.example/app', 'ftp://a.example', '*']) {
    expect(faultsOf({ ORIGINS: value })).toEqual(fault);
  }
});

test('security events are kept for 30 days at least, and mailed where they are named', () => {
  expect(readConfig({ SECURITY_RETENTION_DAYS: '30' }).securityRetentionDays).toBe(30);
  const fault = ['SECURITY_RETENTION_DAYS must be a number of days, 30 at least'];
  expect(faultsOf({ SECURITY_RETENTION_DAYS: '29' })).toEqual(fault);
  expect(readConfig({ SECURITY_ALERTS: 'keys, failures' }).securityAlerts).toEqual(['keys', 'failures']);
  expect(faultsOf({ SECURITY_ALERTS: 'keys,toString' })).toEqual([
    'SECURITY_ALERTS must be some of failures, refusals, limits, devices, factors, keys',
  ]);
});

test('events are kept for 30 days at least', () => {
  expect(readConfig({ EVENT_RETENTION_DAYS: '30' }).eventRetentionDays).toBe(30);
  const fault = ['EVENT_RETENTION_DAYS must be a number of days, 30 at least'];
  for (const value of ['29', '0', '-1', '45.5', 'ever']) {
    expect(faultsOf({ EVENT_RETENTION_DAYS: value })).toEqual(fault);
  }
});

test('switches are 0 or 1', () => {
  expect(readConfig({ RATE_LIMIT: '0', TRUST_PROXY: '1', WEBHOOK_ALLOW_PRIVATE: '1' })).toMatchObject({
    rateLimit: false,
    trustProxy: true,
    webhookAllowPrivate: true,
  });
});
