import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { atFileEnd } from '../../../test/suite/endings.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { makeDataDir, removeDataDir } from '../../../test/support/data-dir.ts';
import { databaseEnv, testDatabase } from '../../../test/support/database.ts';
import { type GatewayProcess, spawnGateway } from '../../../test/support/gateway-process.ts';
import {
  createVisitor,
  goodPassword,
  seedAccount,
  signedIn,
} from '../../../test/support/identity-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { backup } from '../../commands/backup.ts';
import { addOperator } from '../../commands/people/operators.ts';
import { printSetupLink } from '../../commands/people/setup-link.ts';
import type { IntegrationId } from '../../identity/integration.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { postAll } from '../../ledger/ledger.ts';
import { addressesOf } from '../../ledger/places.ts';
import { recordBackup } from '../backup-records/records.ts';
import { openSeal } from '../master-key.ts';

const directories: string[] = [];
afterAll(() => Promise.all(directories.map(removeDataDir)));

/** The database of an installation without an operator, and the settings by which commands find it. */
async function place() {
  const directory = await makeDataDir();
  directories.push(directory);
  const database = await testDatabase();
  const key = join(directory, 'master.key');
  return {
    directory,
    database,
    env: { DATA_DIR: directory, ...databaseEnv(database), MASTER_KEY_FILE: key },
  };
}

const nobody = { integrationId: '' as IntegrationId, secretKey: '', liveSecretKey: '' };

/** A gateway in this process on such a database, and the link of the first run. */
async function open() {
  const { database, env } = await place();
  const { baseUrl: url } = await startApp({ database, integration: nobody, env: { RATE_LIMIT: '1' } });
  return { url, database, env, token: await newLink(env) };
}

async function newLink(env: NodeJS.ProcessEnv): Promise<string> {
  return /#(\S+)/.exec((await printed(() => printSetupLink(env))).output)?.[1] ?? '';
}

/** A gateway as a process of its own, which prints the link and starts anew on what was restored. */
async function install(
  options: string[] = [],
  settings: Record<string, string> = {},
  before: (db: Database) => Promise<unknown> = async () => {},
) {
  const { directory, database, env: own } = await place();
  await before(database.db);
  const env = { ...own, DEMO: '0', ...settings };
  const gateway = await spawnGateway(env, ...options);
  // What a failed test left running does not outlive the file.
  atFileEnd(() => gateway.end('SIGTERM'));
  await gateway.ready;
  return { directory, database, env, gateway, token: await linkOf(gateway) };
}

async function linkOf(gateway: GatewayProcess): Promise<string> {
  await expect.poll(gateway.output).toContain('Good until');
  return /\/app\/setup#(\S+)/.exec(gateway.output())?.[1] ?? '';
}

const by = (token: string) => ({ authorization: `Setup ${token}` });
const person = (email: string) => ({ name: 'Ada', email, password: goodPassword });

test('the link makes one operator, and before that nobody makes an account', async () => {
  const { url, database, env, token } = await open();
  const stranger = createVisitor(url);
  expect(token).toMatch(/^\w{43}$/);
  expect(await stranger.send('POST', '/auth/sign-up', person('eve@example.com'))).toMatchObject({
    status: 403,
    error: 'not_set_up',
  });
  for (const wrong of ['', 'x', token.slice(1), `${token}x`]) {
    const refused = await stranger.send('POST', '/auth/setup/operator', person('eve@example.com'), by(wrong));
    expect(refused).toMatchObject({ status: 403, error: 'setup_link_ended' });
  }
  // What is kept is no token.
  const { rows } = await database.db.query('SELECT token_hash FROM setup_links');
  expect(JSON.stringify(rows)).not.toContain(token);
  // A foreign page cannot use the link of somebody who has it.
  const foreign = { ...by(token), origin: 'https://evil.example' };
  expect(
    (await stranger.send('POST', '/auth/setup/operator', person('eve@example.com'), foreign)).status,
  ).toBe(403);
  expect((await stranger.send('POST', '/auth/setup', {}, by(token))).status).toBe(200);
  const answers = await Promise.all(
    ['ada@example.com', 'bob@example.com', 'cyd@example.com'].map((email) =>
      createVisitor(url).send('POST', '/auth/setup/operator', person(email), by(token)),
    ),
  );
  // On a busy machine one that waited is told to try again.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.every(({ status }) => [200, 403, 503].includes(status))).toBe(true);
  const made = await database.db.query<{ email: string }>('SELECT email FROM accounts WHERE is_operator');
  expect(made.rowCount).toBe(1);
  // The link has ended, and no other is made.
  expect((await stranger.send('POST', '/auth/setup', {}, by(token))).error).toBe('setup_link_ended');
  await expect(printSetupLink(env)).rejects.toThrow('is in use');
  expect((await stranger.send('POST', '/auth/sign-up', person('eve@example.com'))).status).toBe(200);
  // Without a second factor the operator does nothing yet.
  const operator = await signedIn(url, made.rows[0]!.email);
  expect((await operator.get('/operator/attention')).error).toBe('second_factor_needed');
  const log = await database.db.query(`SELECT FROM audit_log WHERE action LIKE 'became the first operator%'`);
  expect(log.rowCount).toBe(1);
});

test('a link ends after a day, with the next link, and with an operator of the command line', async () => {
  const { url, database, env, token } = await open();
  const { send } = createVisitor(url);
  const use = async (each: string) => (await send('POST', '/auth/setup', {}, by(each))).status;
  const next = await newLink(env);
  expect([await use(token), await use(next)]).toEqual([403, 200]);
  await database.db.query(`UPDATE setup_links SET expires_at = now() - interval '1 second'`);
  expect(await use(next)).toBe(403);
  const last = await newLink(env);
  expect(await use(last)).toBe(200);
  await printed(() => addOperator(env, 'olga@example.com'));
  expect(await use(last)).toBe(403);
});

test('an installation that somebody uses has no link, though it never had an operator', async () => {
  const { database, env } = await place();
  await seedAccount(database.db, { email: 'owner@example.com' });
  await expect(printSetupLink(env)).rejects.toThrow('florin operators add');
  const gateway = await spawnGateway({ ...env, DEMO: '0' });
  await gateway.ready;
  expect(gateway.output()).not.toContain('/app/setup');
  const { send } = createVisitor(gateway.url);
  expect((await send('POST', '/auth/sign-up', person('eve@example.com'))).status).toBe(200);
  await gateway.end('SIGTERM');
});

test('wrong tokens are counted', async () => {
  const { url } = await open();
  const { send } = createVisitor(url);
  const codes = new Set<number>();
  for (let tries = 0; tries < 15; tries += 1)
    codes.add((await send('POST', '/auth/setup', {}, by(`wrong${tries}`))).status);
  expect([...codes]).toEqual([403, 429]);
});

/** `before` writes to the database of the backup. */
async function backedUp(before: (db: Database) => Promise<unknown> = async () => {}) {
  const { directory, database, env } = await place();
  await openSeal(database.db, env.MASTER_KEY_FILE);
  await printed(() => addOperator(env, 'olga@example.com'));
  const { email } = await seedAccount(database.db, { email: 'owner@example.com' });
  await before(database.db);
  const file = join(directory, 'florin.backup');
  await printed(() => backup(env, { file }));
  return { file, email, key: (await readFile(env.MASTER_KEY_FILE, 'utf8')).trim() };
}

const usual = await backedUp();

test.each([
  ['in one process', []],
  ['with workers', ['--workers', '2']],
])('a backup is restored in place of a new installation, %s', async (_, options) => {
  const { file, email, key } = usual;
  const { gateway, directory, database, token } = await install(options);
  const { send } = createVisitor(gateway.url);
  const state = async () =>
    (await send('POST', '/auth/setup/restore/state', {}, by(token)).catch(() => null))?.data?.state ??
    'ended';
  const order = { file: null, path: file, master_key: null };
  // Its own key is another one: nothing is changed.
  expect((await send('POST', '/auth/setup/restore', order, by('wrong'))).status).toBe(403);
  expect((await send('POST', '/auth/setup/restore', order, by(token))).status).toBe(200);
  await expect.poll(state).toBe('failed');
  expect((await database.db.query('SELECT FROM setup_links')).rowCount).toBe(1);
  // The file in pieces, one of which is sent twice.
  const bytes = await readFile(file);
  const half = Math.ceil(bytes.length / 2);
  const piece = async (name: string | null, at: number, part: Buffer) =>
    (
      await send(
        'POST',
        '/auth/setup/restore/piece',
        { file: name, at, piece: part.toString('base64') },
        by(token),
      )
    ).data as { file: string; bytes: number };
  const first = await piece(null, 0, bytes.subarray(0, half));
  await piece(first.file, half, bytes.subarray(half));
  expect(await piece(first.file, half, bytes.subarray(half))).toEqual({
    file: first.file,
    bytes: bytes.length,
  });
  const sent = { file: first.file, path: null, master_key: key };
  expect((await send('POST', '/auth/setup/restore', sent, by(token))).status).toBe(200);
  await expect.poll(state, { interval: 100 }).toMatch(/done|ended/);
  // The one that has the new database, and no longer the one that ends.
  await expect.poll(() => gateway.output().match(/^Florin is ready/gm)?.length).toBe(2);
  const signIn = () =>
    signedIn(gateway.url, email).then(
      () => true,
      () => false,
    );
  await expect.poll(signIn).toBe(true);
  expect((await database.db.query('SELECT FROM payout_stop')).rowCount).toBe(1);
  expect(await readFile(join(directory, 'master.key'), 'utf8')).toContain(key);
  expect((await send('POST', '/auth/setup', {}, by(token))).status).toBe(403);
  expect(await gateway.end('SIGTERM')).toBe(0);
});

test('a backup with money of a network that the configuration lacks is refused, and says what to put back', async () => {
  const cause = {
    id: newId(),
    mode: 'live' as const,
    asset: 'usdc-bep20',
    units: 10n ** 18n,
    cause: 'seed' as const,
    causeId: null,
  };
  const places = { debit: addressesOf('evm:56'), credit: { kind: 'business', owner: 'shop' } } as const;
  const { file, key } = await backedUp((db) =>
    transaction(db, (tx) => postAll(tx, [{ ...cause, ...places }], new Date())),
  );
  const { gateway, database, token } = await install();
  const { send } = createVisitor(gateway.url);
  const order = { file: null, path: file, master_key: key };
  expect((await send('POST', '/auth/setup/restore', order, by(token))).status).toBe(200);
  const state = async () => (await send('POST', '/auth/setup/restore/state', {}, by(token))).data;
  const fault = expect.stringContaining('CONFIG_FILE has no longer the network of usdc-bep20');
  await expect.poll(state).toMatchObject({ state: 'failed', fault });
  // Nothing was changed, and the link still works.
  expect((await database.db.query('SELECT FROM accounts')).rowCount).toBe(0);
  expect((await send('POST', '/auth/setup', {}, by(token))).status).toBe(200);
  await gateway.end('SIGTERM');
});

test('a backup replaces nothing that somebody has used', async () => {
  const { file, key } = usual;
  const { gateway, database, token } = await install();
  await seedAccount(database.db, { email: 'early@example.com' });
  const { send } = createVisitor(gateway.url);
  const order = { file: null, path: file, master_key: key };
  expect((await send('POST', '/auth/setup/restore', order, by(token))).status).toBe(200);
  const state = async () => (await send('POST', '/auth/setup/restore/state', {}, by(token))).data;
  await expect
    .poll(state)
    .toMatchObject({ state: 'failed', fault: expect.stringContaining('used this installation') });
  expect((await database.db.query('SELECT FROM accounts')).rowCount).toBe(1);
  await gateway.end('SIGTERM');
});

test('a backup in the place of BACKUP_TO is listed, and restored by its name', async () => {
  const { file, email, key } = usual;
  const folder = await makeDataDir();
  directories.push(folder);
  const name = 'florin-2026-11-30T02-00-00Z.backup';
  await mkdir(join(folder, 'backups'));
  await copyFile(file, join(folder, 'backups', name));
  const at = new Date();
  const made = {
    place: folder,
    path: `backups/${name}`,
    kind: 'ordered' as const,
    florin: '0.1.0',
    is_encrypted: false,
  };
  const ended = { started_at: at, ended_at: at, bytes: 1n, sha256: '0'.repeat(64), fault: null };
  // Else the gateway makes one of its own as it starts, which a restore waits for.
  const { gateway, token } = await install([], { BACKUP_TO: folder }, (db) =>
    recordBackup(db, { ...made, ...ended }),
  );
  const { send } = createVisitor(gateway.url);
  const setup = (path: string, body: object) => send('POST', `/auth/setup/${path}`, body, by(token));
  expect((await setup('restore/place', {})).data).toEqual({ place: folder, names: [name], fault: null });
  const order = { file: null, master_key: key };
  expect((await setup('restore', { ...order, path: '../master.key' })).status).toBe(400);
  expect((await setup('restore', { ...order, path: name })).status).toBe(200);
  await expect.poll(() => gateway.output().match(/^Florin is ready/gm)?.length).toBe(2);
  await signedIn(gateway.url, email);
  await gateway.end('SIGTERM');
});
