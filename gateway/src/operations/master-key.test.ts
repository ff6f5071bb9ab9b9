import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import type { Database } from '../kit/db/db.ts';
import { createSeal, type Place } from '../kit/seal.ts';
import { openSeal, proofOf } from './master-key.ts';
import { newMasterKey, readKeyFile, writeKeyFile } from './master-key-file.ts';

const place: Place = { table: 'emails', column: 'letter', row: '1' };
let db: Database;
let directory: string;
let file: string;

beforeAll(async () => {
  ({ db } = await testDatabase());
});
beforeEach(async () => {
  await forgetKeys();
  directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  file = join(directory, 'master.key');
});
afterEach(() => rm(directory, { recursive: true }));

/** As a database that no gateway has used yet. */
async function forgetKeys(): Promise<void> {
  await db.query('DELETE FROM master_keys; DELETE FROM derived_keys');
}

test('the first start makes the key, readable by its owner alone, and later starts read it', async () => {
  const sealed = (await openSeal(db, file)).seal('a secret', place);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const made = await readFile(file, 'utf8');
  expect(made).toMatch(/^[0-9a-f]{64}\n$/);

  expect((await openSeal(db, file)).open(sealed, place)).toBe('a secret');
  expect(await readFile(file, 'utf8')).toBe(made);
  expect(await readdir(directory)).toEqual(['master.key']);
});

describe('a key that the operator made', () => {
  const key = randomBytes(32);
  const sealed = createSeal(key).seal('a secret', place);

  test.each<[string, Buffer | string]>([
    ['raw', key],
    ['in hexadecimal', key.toString('hex')],
    ['in capital hexadecimal and with a line end', `${key.toString('hex').toUpperCase()}\r\n`],
    ['in base64', key.toString('base64')],
    ['in base64 with a line end', `${key.toString('base64')}\n`],
  ])('is read %s', async (_, content) => {
    await writeFile(file, content);
    expect((await openSeal(db, file)).open(sealed, place)).toBe('a secret');
  });

  test.each<[string, Buffer | string]>([
    ['nothing', ''],
    ['a byte less', key.subarray(1)],
    ['a digit less', key.toString('hex').slice(1)],
    ['half a key', key.toString('base64').slice(22)],
    ['a password', 'correct horse battery staple'],
  ])('of %s is refused, and nothing is sealed with it', async (_, content) => {
    await writeFile(file, content);
    await expect(openSeal(db, file)).rejects.toThrow(
      `${file} must hold 32 bytes, raw, in hexadecimal or in base64, or keys as JSON`,
    );
    expect((await db.query('SELECT FROM master_keys')).rowCount).toBe(0);
  });
});

test('the key of another database is refused with what to do', async () => {
  await openSeal(db, file);
  const other = join(directory, 'other.key');
  await expect(openSeal(db, other)).rejects.toThrow(
    `The master key in ${other} is not the one that this database's secrets are sealed with. ` +
      'Put the right key there, or set MASTER_KEY_FILE to its file.',
  );
});

test('gateways that start at once with one key file agree on one key', async () => {
  for (let round = 0; round < 10; round++) {
    const shared = join(directory, `${round}.key`);
    await forgetKeys();
    const seals = await Promise.all(Array.from({ length: 8 }, () => openSeal(db, shared)));
    const sealed = seals[0]!.seal('a secret', place);
    expect(seals.map((seal) => seal.open(sealed, place))).toEqual(seals.map(() => 'a secret'));
  }
  expect(await readdir(directory)).toHaveLength(10);
});

test('of gateways that start at once with different keys one starts, and the others are refused', async () => {
  const starts = Array.from({ length: 4 }, (_, index) => openSeal(db, join(directory, `${index}.key`)));
  const results = await Promise.allSettled(starts);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a file with several keys opens what any of them sealed, and seals with the one that the database says', async () => {
  const first = await openSeal(db, file);
  const sealed = first.seal('a secret', place);
  const older = await readKeyFile(file);
  const newer = newMasterKey();
  await writeKeyFile(file, [newer, ...older]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['master.key']);
  const again = await openSeal(db, file);
  expect(again.open(sealed, place)).toBe('a secret');
  expect(again.keys()).toEqual({ all: [older[0].id], active: older[0].id });
  await db.query(`UPDATE master_keys SET state = 'old'`);
  await db.query(`INSERT INTO master_keys VALUES ($1, 'active', $2, now())`, [newer.id, proofOf(newer)]);
  await again.follow();
  expect(again.keys().active).toBe(newer.id);
  expect(again.open(sealed, place)).toBe('a secret');
  expect(createSeal(newer.bytes).open(again.seal('new', place), place)).toBe('new');
  expect(again.derive('console sessions')).toEqual(first.derive('console sessions'));
  expect((await openSeal(db, file)).derive('console sessions')).toEqual(first.derive('console sessions'));
});

test('a file that lacks one of the keys in use is refused by its id', async () => {
  const { active } = (await openSeal(db, file)).keys();
  const other = newMasterKey();
  await db.query(`INSERT INTO master_keys VALUES ($1, 'old', $2, now())`, [other.id, proofOf(other)]);
  await expect(openSeal(db, file)).rejects.toThrow(`${file} lacks the master key ${other.id}`);
  await writeKeyFile(file, [other, ...(await readKeyFile(file))]);
  expect((await openSeal(db, file)).keys().active).toBe(active);
});

test.each(['{}', '{"keys": []}', '{"keys": [{"key": "abc"}]}', '{"keys": [null]}', '{"keys": "x"}', '{'])(
  'a file of %s is refused',
  async (content) => {
    await writeFile(file, content);
    await expect(openSeal(db, file)).rejects.toThrow('or keys as JSON');
  },
);

test('keys of a program are asked for again when another one is announced; those of the environment stay', async () => {
  const { active } = (await openSeal(db, file)).keys();
  const outside = await openSeal(db, { command: ['cat', file] });
  vi.stubEnv('A_MASTER_KEY', await readFile(file, 'utf8'));
  const inside = await openSeal(db, { env: 'A_MASTER_KEY' });
  vi.unstubAllEnvs();
  expect([outside, inside].map((seal) => seal.keys().active)).toEqual([active, active]);
  const newer = newMasterKey();
  await db.query(`INSERT INTO master_keys VALUES ($1, 'announced', $2, now())`, [newer.id, proofOf(newer)]);
  await outside.follow();
  expect(outside.keys().all).toEqual([active]);
  await writeKeyFile(file, [newer, ...(await readKeyFile(file))]);
  await outside.follow();
  expect(outside.keys().all.sort()).toEqual([active, newer.id].sort());
});

test('a program or a variable without a key is refused with the name of its setting', async () => {
  await expect(openSeal(db, { env: 'NO_SUCH_VARIABLE' })).rejects.toThrow(
    'MASTER_KEY cannot be read: the variable is not set',
  );
  await expect(openSeal(db, { command: ['/nowhere/vault'] })).rejects.toThrow(
    'MASTER_KEY_COMMAND cannot be read: the program could not be started (ENOENT)',
  );
  await expect(openSeal(db, { command: ['echo', 'hunter2'] })).rejects.toThrow(
    'the program echo must hold 32 bytes',
  );
});
