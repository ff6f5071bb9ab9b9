import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { withDatabase } from '../../gateway/src/commands/with-database.ts';
import { emptyDirectory, runFlorin, startFlorin } from '../test/florin.ts';

const main = join(import.meta.dirname, 'main.ts');
const directory = await emptyDirectory();
/** A database that no other test file uses: the one with which the server of the run starts. */
const { host = '', port, user } = inject('testServer').connection;
const database = {
  DATABASE_URL: `postgresql:///florin?user=${user}&host=${encodeURIComponent(host)}&port=${port}`,
  MASTER_KEY_FILE: join(directory, 'master.key'),
  DATA_DIR: directory,
};

/** Runs `florin` as a person would, in a directory of its own. */
const florin = (words: string, env: Record<string, string> = {}) =>
  runFlorin(words.split(' ').filter(Boolean), env, directory);

describe.concurrent('florin', () => {
  test('shows its commands on request, and without any word', async () => {
    const asked = await Promise.all([[], ['-h'], ['help']].map((words) => startFlorin(words, {}).ended));
    for (const each of asked) {
      expect(each).toEqual({ code: 0, output: asked[0]!.output, errors: '' });
    }
    expect(asked[0]!.output).toMatch(/^Usage: florin [\s\S]*\nExit codes: 0 done, 1 could not be done, 2 /);
  });

  test.each(['users create --help', 'help users create'])(
    'shows how a command is used: %s',
    async (words) => {
      const { code, output, errors } = await florin(words);
      expect([code, errors]).toEqual([0, '']);
      expect(output).toMatch(/^Usage: florin users create \[options\] <username>\n/);
      expect(output).toContain('\nExamples:\n  florin users create ada ');
    },
  );

  test('shows what a group of commands has', async () => {
    const { code, output, errors } = await florin('users');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('\n  create <username> ');
    expect(output).not.toContain('help [command]');
  });

  test.each([
    ['mine bitcoin', "unknown command 'mine'", 'florin [options] [command]'],
    ['constructor', "unknown command 'constructor'", 'florin [options] [command]'],
    ['serv', "unknown command 'serv'\n(Did you mean serve?)", 'florin [options] [command]'],
    ['users create', "missing required argument 'username'", 'florin users create [options] <username>'],
    [
      'users create ann bob',
      "too many arguments for 'create'. Expected 1 argument but got 2: ann, bob.",
      'florin users create [options] <username>',
    ],
    ['audit --jsn', "unknown option '--jsn'\n(Did you mean --json?)", 'florin audit [options]'],
    ['sweep --chain', "option '--chain <id>' argument missing", 'florin sweep [options]'],
  ])('ends with 1 and shows how it is used for %j', async (words, message, usage) => {
    const { code, output, errors } = await florin(words);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(new RegExp(`\\nUsage: ${escapeRegExp(usage)}\\nMore: florin help[ a-z]*\\n$`));
    expect(errors.startsWith(`florin: ${message}\n`)).toBe(true);
  });

  test('has no help for a command that does not exist', async () => {
    const message = 'florin: there is no command mine bitcoin; florin help lists all commands\n';
    expect(await florin('help mine bitcoin')).toEqual({ code: 1, output: '', errors: message });
  });
});

describe('the program', () => {
  const imports = /^(?:import|export) (?!type\b)[^;'"]*?\bfrom '(\.[^']+)'/gm;

  /** Every file that is loaded before a command runs. */
  function loaded(file: string, seen = new Set<string>()): Set<string> {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const [, name] of readFileSync(file, 'utf8').matchAll(imports))
      loaded(join(dirname(file), name!), seen);
    return seen;
  }

  test('loads the gateway and the client only with the command that needs them', () => {
    const files = [...loaded(main)].map((file) => relative(join(import.meta.dirname, '../..'), file));
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => file.startsWith('gateway/')).sort()).toEqual([
      'gateway/src/commands/config-help.ts',
      'gateway/src/config/settings.ts',
    ]);
    const client = files.filter((file) =>
      /^import (?!type\b).* from '@florin\/sdk'/m.test(
        readFileSync(join(import.meta.dirname, '../..', file), 'utf8'),
      ),
    );
    expect(client).toEqual([]);
  });
});

function escapeRegExp(text: string): string {
  return text.replace(/[[\]]/g, '\\$&');
}

describe.concurrent('florin config', () => {
  test('shows the settings of this environment, without passwords', async () => {
    const { code, output } = await florin('config', {
      PORT: '8080',
      SMTP_URL: 'smtp://me:hunter2@mail.example',
    });
    expect([code, JSON.parse(output)]).toMatchObject([0, { port: 8080, smtp: 'mail.example' }]);
    expect(output).not.toContain('hunter2');
  });

  test('ends with 1 when they are faulty', async () => {
    const errors = 'PORT must be a port number from 1 to 65535\n';
    expect(await florin('config', { PORT: 'abc' })).toEqual({ code: 1, output: '', errors });
  });

  test('--help lists every setting', async () => {
    const { code, output } = await florin('config --help', { PORT: 'abc' });
    expect(code).toBe(0);
    expect(output.match(/^ {2}[A-Z_]+ /gm)?.length).toBeGreaterThan(19);
  });
});

describe('florin on a database', () => {
  test('makes an integration and lets it take live payments', async () => {
    const made = await florin('integrations create Shop', database);
    const { integration_id: id, secret_key } = JSON.parse(made.output) as Record<string, string>;
    expect([made.code, secret_key]).toEqual([0, expect.stringMatching(/^sk_test_/)]);
    const approved = await florin(`integrations approve ${id}`, database);
    const suspended = await florin(`integrations suspend ${id}`, database);
    const unknown = await florin('integrations approve Shop', database);
    expect(approved).toEqual({ code: 0, output: `${id} is approved\n`, errors: '' });
    expect(suspended).toEqual({ code: 0, output: `${id} is suspended\n`, errors: '' });
    expect(unknown).toEqual({ code: 1, output: '', errors: 'florin: there is no integration Shop\n' });
  });

  test('makes a user once', async () => {
    const made = await florin('users create ada', database);
    expect([made.code, JSON.parse(made.output)]).toMatchObject([0, { username: 'ada' }]);
    const again = await florin('users create ada', database);
    expect(again).toEqual({ code: 1, output: '', errors: 'florin: there is a user ada already\n' });
    const reset = await florin('users reset-factors ada', database);
    expect(reset).toMatchObject({ code: 0, output: expect.stringMatching(/^ada has no second factor now/) });
    const password = await florin('users reset-password ada', database);
    expect([password.code, JSON.parse(password.output)]).toMatchObject([0, { username: 'ada' }]);
    const nobody = await florin('users reset-factors nobody', database);
    expect(nobody).toMatchObject({ code: 1, errors: 'florin: there is no user nobody\n' });
  });

  test('makes operators: a new account with a password, or one that exists', async () => {
    const [made, unknown] = [
      await florin('operators add Olga@Example.com', database),
      await florin('operators add olga', database),
    ];
    expect([made.code, JSON.parse(made.output)]).toEqual([
      0,
      { email: 'olga@example.com', password: expect.stringMatching(/^\w{16}$/) },
    ]);
    expect(unknown).toEqual({ code: 1, output: '', errors: 'florin: olga is not an e-mail address\n' });
    await withDatabase(database, (db) => db.query('UPDATE accounts SET is_operator = false'));
    const lifted = await florin('operators add olga@example.com', database);
    expect(lifted).toEqual({ code: 0, output: 'olga@example.com is an operator\n', errors: '' });
    const { rows } = await withDatabase(database, (db) =>
      db.query("SELECT actor_kind, action FROM audit_log WHERE subject_kind = 'account' ORDER BY id"),
    );
    expect(rows).toEqual([
      { actor_kind: 'command', action: 'made an operator' },
      { actor_kind: 'command', action: 'made somebody an operator' },
    ]);
  });

  test('removes second factors that somebody lost, and says so in the log', async () => {
    const unknown = await florin('accounts reset-factors nobody@example.com', database);
    expect(unknown).toMatchObject({
      code: 1,
      errors: 'florin: there is no account with the address nobody@example.com\n',
    });
    await withDatabase(database, (db) => db.query('UPDATE accounts SET two_factor_enabled = true'));
    const reset = await florin('accounts reset-factors Olga@example.com', database);
    expect(reset).toMatchObject({
      code: 0,
      output: 'olga@example.com has no second factor now, and is signed out everywhere\n',
    });
    const { rows } = await withDatabase(database, (db) =>
      db.query(`SELECT actor_kind, before, (SELECT count(*)::int FROM emails WHERE recipient = 'olga@example.com') AS mails
                FROM audit_log WHERE action = 'reset the second factors' AND subject_kind = 'account'`),
    );
    const before = { email: 'olga@example.com', two_factor: true, passkeys: 0 };
    expect(rows).toEqual([{ actor_kind: 'command', before, mails: 1 }]);
  });

  test('shows mails that wait, also those that give access, unless a mail server is set', async () => {
    const { output } = await florin('mails list', database);
    const line = /^(\S+) {2}\S+ {2}olga@example\.com {2}For your account every second factor was removed$/m;
    const id = line.exec(output)?.[1];
    await withDatabase(database, (db) => db.query("UPDATE emails SET kind = 'reset_password'"));
    const shown = await florin(`mails show ${id}`, database);
    expect(shown).toMatchObject({
      code: 0,
      output: expect.stringContaining('To: olga@example.com\nSubject: '),
    });
    expect(shown.output).toContain('every second factor was removed');
    const elsewhere = { ...database, SMTP_URL: 'smtp://127.0.0.1:1' };
    expect(await florin(`mails show ${id}`, elsewhere)).toMatchObject({
      ...{ code: 1, output: '' },
      errors: expect.stringMatching(/^florin: no mail \S+ can be shown: /),
    });
    const { rows } = await withDatabase(database, (db) =>
      db.query("SELECT actor_kind FROM audit_log WHERE action = 'read a mail of the outbox'"),
    );
    expect(rows).toEqual([{ actor_kind: 'command' }]);
  });

  test('ends an audit with 0 where the ledger is clean, with 2 where it is not', async () => {
    const clean = await florin('audit', database);
    expect(clean).toMatchObject({ code: 0, output: expect.stringMatching(/^The ledger is clean: /) });
    await withDatabase(database, (db) =>
      db.query(`INSERT INTO ledger_accounts (kind, owner, mode, asset, stored, balance)
                VALUES ('user', 'nobody', 'test', 'pi', true, 5)`),
    );
    const faulty = await florin('audit --json', database);
    expect([faulty.code, JSON.parse(faulty.output).findings.length > 0]).toEqual([2, true]);
  });

  test('makes, lists, rolls and revokes keys', async () => {
    const made = await florin('integrations create Keys', database);
    const { integration_id: id } = JSON.parse(made.output) as Record<string, string>;
    const key = await florin(`keys create ${id} --name reports --addresses 192.0.2.1,2001:db8::1`, database);
    const { id: keyId, secret_key } = JSON.parse(key.output) as Record<string, string>;
    expect(secret_key).toMatch(/^sk_test_/);
    const listed = await florin(`keys list ${id}`, database);
    expect(listed.output).toMatch(new RegExp(`^${keyId} .* good .*restricted key: reports$`, 'm'));
    expect(listed.output).not.toContain(secret_key);
    const rolled = JSON.parse((await florin(`keys roll ${keyId} --overlap 2h`, database)).output);
    expect(rolled).toMatchObject({ secret_key: expect.stringMatching(/^sk_test_/) });
    const revoked = await florin(`keys revoke ${rolled.id}`, database);
    expect(revoked).toEqual({ code: 0, output: `${rolled.id} is revoked\n`, errors: '' });
    expect((await florin(`keys list ${id} --mode demo`, database)).code).toBe(1);
  });

  test('backs the database up, and refuses to restore into a database that is not empty', async () => {
    const file = join(directory, 'florin.backup');
    const made = await florin(`backup ${file} --json`, database);
    expect([made.code, JSON.parse(made.output)]).toMatchObject([0, { file }]);
    const { code, output, errors } = await florin(`restore ${file}`, database);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('empty');
  });

  test('says that it cannot be reached', async () => {
    const gone = { ...database, DATABASE_URL: 'postgres://florin@127.0.0.1:1/florin' };
    expect(await florin('audit', gone)).toEqual({
      code: 1,
      output: '',
      errors: 'florin: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });
});
