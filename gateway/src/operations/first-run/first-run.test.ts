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
import { backup } from '../../commands/backup.ts';
import { addOperator } from '../../commands/people/operators.ts';
import { printSetupLink } from '../../commands/people/setup-link.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { postAll } from '../../ledger/ledger.ts';
import { addressesOf } from '../../ledger/places.ts';

// An installation without an operator, as a process of its own.

const directories: string[] = [];
afterAll(() => Promise.all(directories.map(removeDataDir)));

async function install(options: string[] = [], settings: Record<string, string> = {}) {
  const directory = await makeDataDir();
  directories.push(directory);
  const database = await testDatabase();
  const env = {
    DATA_DIR: directory,
    ...databaseEnv(database),
    MASTER_KEY_FILE: join(directory, 'master.key'),
    DEMO: '0',
    ...settings,
  };
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
  const { gateway, database, env, token } = await install();
  const stranger = createVisitor(gateway.url);
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
      createVisitor(gateway.url).send('POST', '/auth/setup/operator', person(email), by(token)),
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
  const operator = await signedIn(gateway.url, made.rows[0]!.email);
  expect((await operator.get('/operator/attention')).error).toBe('second_factor_needed');
  const log = await database.db.query(`SELECT FROM audit_log WHERE action LIKE 'became the first operator%'`);
  expect(log.rowCount).toBe(1);
  await gateway.end('SIGTERM');
});

test('a link ends after a day, with the next link, and with an operator of the command line', async () => {
  const { gateway, database, env, token } = await install();
  const { send } = createVisitor(gateway.url);
  const use = async (each: string) => (await send('POST', '/auth/setup', {}, by(each))).status;
  const next = /#(\S+)/.exec((await printed(() => printSetupLink(env))).output)?.[1] ?? '';
  expect([await use(token), await use(next)]).toEqual([403, 200]);
  await database.db.query(`UPDATE setup_links SET expires_at = now() - interval '1 second'`);
  expect(await use(next)).toBe(403);
  const last = /#(\S+)/.exec((await printed(() => printSetupLink(env))).output)?.[1] ?? '';
  expect(await use(last)).toBe(200);
  await printed(() => addOperator(env, 'olga@example.com'));
  expect(await use(last)).toBe(403);
  await gateway.end('SIGTERM');
});

test('an installation that somebody uses has no link, though it never had an operator', async () => {
  const database = await testDatabase();
  const directory = await makeDataDir();
  directories.push(directory);
  await seedAccount(database.db, { email: 'owner@example.com' });
  const env = { DATA_DIR: directory, ...databaseEnv(database), MASTER_KEY_FILE: join(directory, 'key') };
  await expect(printSetupLink(env)).rejects.toThrow('florin operators add');
  const gateway = await spawnGateway({ ...env, DEMO: '0' });
  await gateway.ready;
  expect(gateway.output()).not.toContain('/app/setup');
  const { send } = createVisitor(gateway.url);
  expect((await send('POST', '/auth/sign-up', person('eve@example.com'))).status).toBe(200);
  await gateway.end('SIGTERM');
});

test('wrong tokens are counted', async () => {
  const { gateway } = await install();
  const { send } = createVisitor(gateway.url);
  const codes = new Set<number>();
  for (let tries = 0; tries < 15; tries += 1)
    codes.add((await send('POST', '/auth/setup', {}, by(`wrong${tries}`))).status);
  expect([...codes]).toEqual([403, 429]);
  await gateway.end('SIGTERM');
});

/** `before` writes to the database of the backup, after its gateway has ended. */
async function backedUp(before: (db: Database) => Promise<unknown> = async () => {}) {
  const directory = await makeDataDir();
  directories.push(directory);
  const database = await testDatabase();
  const key = join(directory, 'master.key');
  const env = { DATA_DIR: directory, ...databaseEnv(database), MASTER_KEY_FILE: key };
  await printed(() => addOperator(env, 'olga@example.com'));
  const { email } = await seedAccount(database.db, { email: 'owner@example.com' });
  const gateway = await spawnGateway({ ...env, DEMO: '0' });
  await gateway.ready;
  await gateway.end('SIGTERM');
  await before(database.db);
  const file = join(directory, 'florin.backup');
  await printed(() => backup(env, { file }));
  return { file, email, key: (await readFile(key, 'utf8')).trim() };
}

test.each([
  ['in one process', []],
  ['with workers', ['--workers', '2']],
])('a backup is restored in place of a new installation, %s', async (_, options) => {
  const { file, email, key } = await backedUp();
  const { gateway, directory, database, token } = await install(options);
  const { send } = createVisitor(gateway.url);
  const state = async () =>
    (await send('POST', '/auth/setup/restore/state', {}, by(token)).catch(() => null))?.data?.state ??
    'ended';
  const order = { file: null, path: file, master_key: null };
  // Its own key is another one: nothing is changed.
  expect((await send('POST', '/auth/setup/restore', order, by('wrong'))).status).toBe(403);
  expect((await send('POST', '/auth/setup/restore', order, by(token))).status).toBe(200);
  await expect.poll(state, { timeout: 60_000 }).toBe('failed');
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
  await expect.poll(state, { timeout: 60_000, interval: 100 }).toMatch(/done|ended/);
  // The one that has the new database, and no longer the one that ends.
  await expect.poll(() => gateway.output().match(/^Florin is ready/gm)?.length).toBe(2);
  const signIn = () =>
    signedIn(gateway.url, email).then(
      () => true,
      () => false,
    );
  await expect.poll(signIn, { timeout: 60_000 }).toBe(true);
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
  await expect.poll(state, { timeout: 60_000 }).toMatchObject({ state: 'failed', fault });
  // Nothing was changed, and the link still works.
  expect((await database.db.query('SELECT FROM accounts')).rowCount).toBe(0);
  expect((await send('POST', '/auth/setup', {}, by(token))).status).toBe(200);
  await gateway.end('SIGTERM');
});

test('a backup replaces nothing that somebody has used', async () => {
  const { file, key } = await backedUp();
  const { gateway, database, token } = await install();
  await seedAccount(database.db, { email: 'early@example.com' });
  const { send } = createVisitor(gateway.url);
  const order = { file: null, path: file, master_key: key };
  expect((await send('POST', '/auth/setup/restore', order, by(token))).status).toBe(200);
  const state = async () => (await send('POST', '/auth/setup/restore/state', {}, by(token))).data;
  await expect
    .poll(state, { timeout: 60_000 })
    .toMatchObject({ state: 'failed', fault: expect.stringContaining('used this installation') });
  expect((await database.db.query('SELECT FROM accounts')).rowCount).toBe(1);
  await gateway.end('SIGTERM');
});

test('a backup in the place of BACKUP_TO is listed, and restored by its name', async () => {
  const { file, email, key } = await backedUp();
  const place = await makeDataDir();
  directories.push(place);
  const name = 'florin-2026-11-30T02-00-00Z.backup';
  await mkdir(join(place, 'backups'));
  await copyFile(file, join(place, 'backups', name));
  const { gateway, token } = await install([], { BACKUP_TO: place });
  const { send } = createVisitor(gateway.url);
  const setup = (path: string, body: object) => send('POST', `/auth/setup/${path}`, body, by(token));
  expect((await setup('restore/place', {})).data).toEqual({ place, names: [name], fault: null });
  const order = { file: null, master_key: key };
  expect((await setup('restore', { ...order, path: '../master.key' })).status).toBe(400);
  expect((await setup('restore', { ...order, path: name })).status).toBe(200);
  await expect.poll(() => gateway.output().match(/^Florin is ready/gm)?.length).toBe(2);
  await signedIn(gateway.url, email);
  await gateway.end('SIGTERM');
});
