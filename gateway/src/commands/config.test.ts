import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printed } from '../../test/support/commands-fixtures.ts';
import { testFolder } from '../../test/support/data-dir.ts';
import { settings } from '../config/settings.ts';
import { showConfig } from './config.ts';
import { configHelp } from './config-help.ts';

const directory = await testFolder();
const file = join(directory, 'secret');
await writeFile(file, 'hunter2');

describe('the help', () => {
  test('has a line for every setting of the contract, with its default', () => {
    const names = `HOST PORT DATA_DIR DATABASE_URL MASTER_KEY_FILE BASE_URL PAY_URL DEMO METRICS_PORT SHOP_PORT
      LOG_LEVEL RATE_LIMIT TRUST_PROXY TLS_CERT TLS_KEY SMTP_URL RATES WEBHOOK_ALLOW_PRIVATE CONFIG_FILE`;
    for (const name of names.split(/\s+/)) expect(configHelp()).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
    expect(configHelp()).toMatch(/^ {2}HOST .*Default: 127\.0\.0\.1\.$/m);
    expect(configHelp()).toMatch(/^ {2}PORT .*Default: 4000\.$/m);
  });

  test('aligns its columns, and has each setting once', () => {
    const lines = configHelp().split('\n').slice(2, -1);
    expect(lines).toHaveLength(settings.length);
    const columns = lines.map((line, index) => line.indexOf(settings[index]!.help));
    expect(new Set(columns).size).toBe(1);
  });
});

describe('the configuration', () => {
  test('is shown as the gateway would use it', async () => {
    const { code, output, errors } = await printed(() => showConfig({ PORT: '8080', RATES: 'PI=0.42' }));
    expect([code, errors]).toEqual([0, '']);
    expect(JSON.parse(output)).toMatchObject({
      port: 8080,
      baseUrl: 'http://127.0.0.1:8080',
      database: 'embedded',
      demo: 'when-new',
      rates: { PI: '0.42' },
      smtp: null,
      assets: expect.arrayContaining(['pi', 'usdt-bep20']),
    });
  });

  test('is shown without passwords and without the content of the files that it names', async () => {
    const secretive = {
      DATABASE_URL: 'postgres://florin:hunter2@db.example/florin',
      MASTER_KEY_FILE: file,
      SMTP_URL: 'smtps://florin:hunter2@mail.example:465',
      TELEGRAM_BOT_TOKEN: `1234567:${'hunter2'.repeat(5)}`,
      RATES: 'https://me:hunter2@rates.example/usd?key=hunter2',
      WALLET_BACKEND_URL: 'https://florin:hunter2@wallets.example/api',
      WALLET_BACKEND_TOKEN_FILE: file,
      TLS_CERT: file,
      TLS_KEY: file,
    };
    const { code, output } = await printed(() => showConfig(secretive));
    expect(code).toBe(0);
    expect(output).not.toContain('hunter2');
    expect(JSON.parse(output)).toMatchObject({
      database: 'external',
      smtp: 'mail.example:465',
      rates: ['rates.example'],
      walletBackend: 'wallets.example',
    });
  });

  test('that has faults is not shown; the faults are, one on each line', async () => {
    const faulty = await printed(() => showConfig({ PORT: 'abc', LOG_LEVEL: 'loud' }));
    expect([faulty.code, faulty.output]).toEqual([1, '']);
    expect(faulty.errors.split('\n')).toEqual([
      expect.stringMatching(/^LOG_LEVEL must be one of /),
      'PORT must be a port number from 1 to 65535',
      '',
    ]);
  });
});
