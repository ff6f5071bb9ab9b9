import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printed } from '../../test/support/commands-fixtures.ts';
import { testFolder } from '../../test/support/data-dir.ts';
import { showConfig } from '../commands/config.ts';
import { ConfigError, readConfig } from './config.ts';
import { settings } from './settings.ts';

const database = 'postgres://florin:hunter2@db.example/florin';
const treasury = '0xdac17f958d2ee523a2206206994597c13d831ec7';

const directory = await testFolder();
const file = join(directory, 'secret');
await writeFile(file, `${database}\n`);

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

const program = (script: string) => JSON.stringify([process.execPath, '-e', script]);
const prints = (text: string) => program(`console.log(${JSON.stringify(text)})`);

test('every secret setting has three ways, and the help says all of them', () => {
  const names = settings.map(({ name }) => name);
  const databases = ['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'READ_DATABASE_URL'];
  const secrets = [
    ...databases,
    'MASTER_KEY',
    'SMTP_URL',
    'TELEGRAM_BOT_TOKEN',
    'WALLET_BACKEND_TOKEN',
    'KYC_SECRET',
    'TLS_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ];
  expect(names.filter((name) => name.endsWith('_COMMAND')).sort()).toEqual(
    secrets.map((name) => `${name}_COMMAND`).sort(),
  );
  for (const name of secrets) expect(names).toEqual(expect.arrayContaining([name, `${name}_FILE`]));
});

describe('a secret that the configuration needs at once', () => {
  test('is the same by each way', () => {
    const ways: Environment[] = [
      { DATABASE_URL: database },
      { DATABASE_URL_FILE: file },
      { DATABASE_URL_COMMAND: prints(database) },
      { DATABASE_URL_COMMAND: `cat ${file}` },
    ];
    for (const way of ways) {
      const config = readConfig({ ...way, MASTER_KEY: 'key' });
      expect(config.database).toEqual({ kind: 'external', url: database, ownerUrl: null });
    }
    const smtp = 'smtps://florin:hunter2@mail.example:465';
    expect(readConfig({ SMTP_URL_COMMAND: prints(smtp) }).smtpUrl).toBe(smtp);
  });

  test.each<[string, Environment, string]>([
    [
      'has two ways at once',
      { DATABASE_URL: database, DATABASE_URL_COMMAND: 'vault' },
      'DATABASE_URL and DATABASE_URL_COMMAND are set, and only one of them may be',
    ],
    [
      'is of a program that fails',
      { SMTP_URL_COMMAND: program(`console.error('hunter2'); process.exit(1)`) },
      'SMTP_URL_COMMAND cannot be read: the program failed',
    ],
    [
      'is of a program that is not there',
      { SMTP_URL_COMMAND: '/nowhere/vault kv get' },
      'SMTP_URL_COMMAND cannot be read: the program could not be started (ENOENT)',
    ],
    [
      'is of a file that is not there',
      { SMTP_URL_FILE: '/nowhere' },
      'SMTP_URL_FILE cannot be read (ENOENT)',
    ],
    [
      'is of a list that is broken',
      { SMTP_URL_COMMAND: '["vault", 1]' },
      'SMTP_URL_COMMAND must be a program with its arguments, or a JSON list of them',
    ],
    ['is not what it should be', { SMTP_URL_COMMAND: prints('hunter2') }, 'SMTP_URL is not a valid address'],
  ])('is refused with the name of its setting where it %s', (_, env, fault) => {
    const faults = faultsOf({ ...env, MASTER_KEY: 'key' });
    expect(faults).toContain(fault);
    expect(faults.join()).not.toContain('hunter2');
  });
});

test('a secret that is needed later is kept as where it is', () => {
  const config = readConfig({
    MASTER_KEY_COMMAND: 'vault kv get -field=key secret/florin',
    WALLET_BACKEND_URL: 'https://wallets.example',
    WALLET_BACKEND_TOKEN: 'hunter2',
    TLS_CERT: file,
    TLS_KEY_COMMAND: '["pass", "tls key"]',
  });
  expect(config).toMatchObject({
    masterKey: { command: ['vault', 'kv', 'get', '-field=key', 'secret/florin'] },
    walletBackend: { token: { env: 'WALLET_BACKEND_TOKEN' } },
    tls: { key: { command: ['pass', 'tls key'] } },
  });
  expect(readConfig({ TLS_CERT: file, TLS_KEY: '-----BEGIN PRIVATE KEY-----' }).tls?.key).toEqual({
    env: 'TLS_KEY',
  });
  expect(readConfig({ TLS_CERT: file, TLS_KEY: file }).tls?.key).toBe(file);
  expect(readConfig({ TLS_CERT: file, TLS_KEY_FILE: file }).tls?.key).toBe(file);
});

describe('the keys of the configuration file', () => {
  async function read(chain: object, pi?: object) {
    const path = join(directory, 'config.json');
    await writeFile(
      path,
      JSON.stringify({ chains: [{ id: 56, rpc: ['https://rpc.example'], treasury, ...chain }], pi }),
    );
    return { CONFIG_FILE: path };
  }

  test('have the same three ways', async () => {
    const env = await read({
      sweep: { gas_key_command: ['vault', 'kv', 'get', '-field=gas', 'secret/florin'] },
      vault: { admin: `0x${'1'.repeat(40)}`, signer: { key_env: 'VAULT_KEY' } },
    });
    const [chain] = readConfig(env).chains;
    expect(chain!.sweep.gasKeyFile).toEqual({
      command: ['vault', 'kv', 'get', '-field=gas', 'secret/florin'],
    });
    expect(chain!.vault?.signer?.by).toEqual({ kind: 'file', keyFile: { env: 'VAULT_KEY' } });
    const token = await read({
      vault: {
        admin: `0x${'1'.repeat(40)}`,
        signer: { url: 'https://signer.example', address: treasury, token_command: ['pass', 'token'] },
      },
    });
    expect(readConfig(token).chains[0]!.vault?.signer?.by).toMatchObject({
      tokenFile: { command: ['pass', 'token'] },
    });
  });

  test('have one way each, and the vault and the sweeps have two keys, however they are given', async () => {
    const twice = await read({ sweep: { gas_key_file: file, gas_key_env: 'GAS' } });
    expect(faultsOf(twice)).toEqual([
      'CONFIG_FILE chain 56 has more than one of sweep.gas_key_file, sweep.gas_key_env',
    ]);
    const shared = await read({
      sweep: { gas_key_command: ['pass', 'gas'] },
      vault: { admin: `0x${'1'.repeat(40)}`, signer: { key_command: ['pass', 'gas'] } },
    });
    expect(faultsOf(shared).join()).toContain('has one key for the vault and for sweeps');
  });

  test('are shown without the arguments of programs', async () => {
    const env = await read({ sweep: { gas_key_command: ['vault', '-token=hunter2'] } });
    const { output } = await printed(() =>
      showConfig({
        ...env,
        MASTER_KEY_COMMAND: 'vault -token=hunter2',
        SMTP_URL: 'smtp://a:hunter2@mail.example',
      }),
    );
    expect(output).not.toContain('hunter2');
    expect(JSON.parse(output)).toMatchObject({ masterKey: 'the program vault' });
  });
});
