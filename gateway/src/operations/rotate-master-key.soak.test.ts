import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expireLeases, testDatabase } from '../../test/support/database.ts';
import { seedIntegration } from '../../test/support/fixtures.ts';
import { Killed, mortal } from '../../test/support/mortal.ts';
import { queueMail } from '../identity/mail/mail.ts';
import { systemClock } from '../kit/clock.ts';
import { carrySeal } from '../kit/db/carried-seal.ts';
import { type Database, transaction } from '../kit/db/db.ts';
import { takeLease } from '../kit/db/lease.ts';
import type { Seal } from '../kit/seal.ts';
import { createEndpoint } from '../webhooks/endpoints/endpoints.ts';
import { createHeartbeat } from './heartbeat.ts';
import { type OpenSeal, openSeal } from './master-key.ts';
import { newMasterKey, readKeyFile, writeKeyFile } from './master-key-file.ts';
import { resealTerms } from './reseal.ts';
import {
  dropMasterKey,
  type KeyStore,
  listMasterKeys,
  type RotateDeps,
  rotateMasterKey,
} from './rotate-master-key.ts';
import { sealedColumns } from './sealed-columns.ts';

const now = new Date('2026-11-24T12:00:00Z');
let directory: string;
let file: string;
let db: Database;
let gateway: OpenSeal;

beforeAll(async () => {
  ({ db } = await testDatabase());
  directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  file = join(directory, 'master.key');
  gateway = await openSeal(db, file);
  for (let shop = 0; shop < 3; shop++) await writeSecrets(gateway);
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(async () => {
  await db.query('DELETE FROM leases; DELETE FROM gateway_processes');
  gateway = await openSeal(db, file);
});

/** What a gateway writes while it serves: keys of an integration, an endpoint with a header, and a mail. */
async function writeSecrets(seal: Seal): Promise<void> {
  const { integrationId } = await seedIntegration(db, seal);
  await transaction(db, async (tx) => {
    const headers = [{ name: 'X-Token', value: 'a token' }];
    const endpoint = { url: 'https://shop.example', events: ['payment_completed'] as const, headers, now };
    await createEndpoint(tx, seal, { integrationId, mode: 'test', ...endpoint });
    carrySeal(db, seal);
    await queueMail(tx, {
      kind: 'test',
      to: 'ada@example.com',
      subject: 'A link',
      text: 'https://example.com/secret',
    });
  });
}

/** Every secret in the clear, by its place. */
async function opened(seal: Seal): Promise<string[]> {
  const texts: string[] = [];
  for (const { table, column, key, at } of sealedColumns) {
    const { rows } = await db.query<{ row: string; kept: Buffer }>(
      `SELECT ${key}::text AS row, ${column} AS kept FROM ${table} WHERE ${column} IS NOT NULL ORDER BY 1`,
    );
    for (const { row, kept } of rows) texts.push(`${table}.${column} ${row} ${seal.open(kept, at(row))}`);
  }
  return texts;
}

/** How many values each key has. */
async function valuesByKey(): Promise<Map<string, number>> {
  const keys = await listMasterKeys(db, storeOf(file));
  const counted = keys.map(
    ({ id, values }) => [id, values.reduce((sum, each) => sum + each.values, 0)] as const,
  );
  return new Map(counted.filter(([, count]) => count > 0));
}

/** Drops every key but the active one. */
async function keepOneKey(): Promise<void> {
  const { unused } = await rotate();
  for (const id of unused) await dropMasterKey(db, storeOf(file), id, now);
  await gateway.follow();
  await writeKeyFile(file, [(await readKeyFile(file))[0]]);
}

function storeOf(path: string): KeyStore {
  return { name: path, read: () => readKeyFile(path), write: (ring) => writeKeyFile(path, ring) };
}

function rotate(deps: Partial<RotateDeps> = {}) {
  const quiet = { report: () => {}, onProgress: () => {}, pause: async () => {}, patience: 3 };
  return rotateMasterKey({ db, store: storeOf(file), now, ...quiet, ...deps });
}

describe('a rotation', () => {
  test('seals every value anew under a key that stands first in the file, and every secret stays what it was', async () => {
    const before = await opened(gateway);
    const former = gateway.keys().active;
    const progress: number[] = [];
    const { id, sealed, unused } = await rotate({ onProgress: (count) => progress.push(count) });
    expect(unused).toEqual([former]);
    expect(sealed).toBe(before.length);
    expect(progress.at(-1)).toBe(sealed);
    expect(await valuesByKey()).toEqual(new Map([[id, sealed]]));
    const ring = await readKeyFile(file);
    expect(ring.map((key) => key.id)).toEqual([id, former]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['master.key']);
    await gateway.follow();
    expect(gateway.keys()).toEqual({ all: expect.arrayContaining([id, former]), active: id });
    expect(await opened(gateway)).toEqual(before);
    expect(await opened(await openSeal(db, file))).toEqual(before);
    const { rows } = await db.query('SELECT action, subject_id FROM audit_log ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([{ action: 'rotated the master key', subject_id: id }]);
  });

  test('ends with nothing of the former key, which can be dropped then and not before', async () => {
    const former = gateway.keys().active;
    await expect(dropMasterKey(db, storeOf(file), former, now)).rejects.toThrow('is the active master key');
    await rotate();
    // A gateway that has not heard of it yet.
    await writeSecrets(gateway);
    await expect(dropMasterKey(db, storeOf(file), former, now)).rejects.toThrow(
      `Values are still sealed with ${former}: 2 in api_keys.sealed, 1 in webhook_endpoints.secret, 1 in webhook_endpoints.headers, 1 in emails.letter`,
    );
    const before = await opened(await openSeal(db, file));
    const again = await rotate();
    expect(again).toMatchObject({ sealed: 5, unused: expect.arrayContaining([former]) });
    await dropMasterKey(db, storeOf(file), former, now);
    expect((await readKeyFile(file)).map(({ id }) => id)).not.toContain(former);
    await expect(writeSecrets(gateway)).rejects.toThrow('is not sealed with a master key that is in use');
    await gateway.follow();
    expect(gateway.keys().all).not.toContain(former);
    await writeSecrets(gateway);
    expect(await opened(gateway)).toEqual(expect.arrayContaining(before));
    await dropMasterKey(db, storeOf(file), former, now);
    await expect(dropMasterKey(db, storeOf(file), 'fedcba9876543210', now)).rejects.toThrow('has never used');
    const listed = await listMasterKeys(db, storeOf(file));
    expect(listed.find(({ id }) => id === former)).toMatchObject({
      state: 'dropped',
      here: false,
      values: [],
    });
  });

  test('waits for one that is under way', async () => {
    await takeLease(db, resealTerms());
    await expect(rotate()).rejects.toThrow('Another process seals values anew');
  });

  test('names the value that does not open, and goes on once it is gone', async () => {
    const { rows } = await db.query<{ id: string; secret: Buffer }>(
      'SELECT id, secret FROM webhook_endpoints',
    );
    const [one, other] = rows;
    const put = (secret: Buffer) =>
      db.query('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [one!.id, secret]);
    await put(other!.secret);
    const former = gateway.keys().active;
    await expect(rotate()).rejects.toThrow(
      `The value in webhook_endpoints.secret of ${one!.id} does not open`,
    );
    await put(one!.secret);
    const { id } = await rotate();
    expect((await readKeyFile(file))[0].id).toBe(id);
    expect([...(await valuesByKey()).keys()]).toEqual([id]);
    await gateway.follow();
    await dropMasterKey(db, storeOf(file), former, now);
  });

  test('takes a key that was put before the others, and none that stands behind the active one', async () => {
    const ring = await readKeyFile(file);
    const [put, older] = [newMasterKey(), newMasterKey()];
    const outside: KeyStore = { name: 'the vault', read: async () => [put, ...ring, older], write: null };
    await writeKeyFile(file, [put, ...ring, older]);
    expect((await rotate({ store: outside })).id).toBe(put.id);
    await expect(rotate({ store: outside })).rejects.toThrow('the vault has no new master key');
    await gateway.follow();
  });
});

describe('killed', () => {
  /**
   * Rotates as a process that dies before its n-th exchange with the database or the file; false: it came to its end.
   */
  async function rotateAndDie(at: number): Promise<boolean> {
    const process = mortal(db);
    const { name, read, write } = storeOf(file);
    const store: KeyStore = {
      name,
      read: () => process.step(read),
      write: (ring) => process.step(async () => await write?.(ring)),
    };
    process.interrupt(at, false, async () => 'dies');
    try {
      await rotate({ db: process.db, store });
      return false;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return true;
    }
  }

  // A whole rotation has some fifty exchanges.
  const stride = process.env.SOAK ? 1 : 7;

  test('before any exchange, it loses no secret and keeps no gateway from its work, and the next run goes on', async () => {
    await keepOneKey();
    const chosen = new Set<string>();
    let at = 1;
    for (; await rotateAndDie(at); at += stride) {
      await gateway.follow();
      await writeSecrets(gateway);
      const secrets = await opened(gateway);
      expect(await opened(await openSeal(db, file))).toEqual(secrets);
      await expireLeases(db);
      const [{ id: newest }, ...older] = await readKeyFile(file);
      const isDone = older.length > 0 && [...(await valuesByKey()).keys()].join() === newest;
      const { id, unused } = await rotate();
      // The key that the dead run had made is used. One that died when all was done left nothing to go on with.
      if (older.length > 0 && !isDone) expect(id).toBe(newest);
      chosen.add(id);
      await gateway.follow();
      expect(await opened(gateway)).toEqual(secrets);
      expect([...(await valuesByKey()).keys()]).toEqual([id]);
      for (const old of unused) await dropMasterKey(db, storeOf(file), old, now);
      await gateway.follow();
      expect(await readKeyFile(file)).toHaveLength(1);
    }
    expect(at).toBeGreaterThan(30);
    expect(chosen.size).toBe((at - 1) / stride);
  }, 600_000);
});

describe('beside processes on two machines', () => {
  test('it waits until all have the key, says which do not, and seals nothing with it before', async () => {
    const { active: former } = gateway.keys();
    const elsewhere = join(directory, 'elsewhere.key');
    await writeKeyFileAnew(elsewhere);
    const other = await openSeal(db, elsewhere);
    const beats = [gateway, other].map((masterKeys) =>
      createHeartbeat({ db, now: systemClock, loops: new Map(), masterKeys }),
    );
    const beat = async () => {
      for (const each of beats) await each();
    };
    await beat();
    const refusal = String(await rotate({ pause: beat }).catch((error: Error) => error));
    const [{ id: announced }] = await readKeyFile(file);
    expect(refusal).toContain(`do not have the master key ${announced}: ${process.pid} on`);
    expect([...(await valuesByKey()).keys()]).toEqual([former]);
    expect(other.keys().active).toBe(former);

    await writeKeyFile(elsewhere, await readKeyFile(file));
    let beaten = 0;
    const pause = async () => {
      beaten++;
      // What they write until they have followed is sealed again too.
      await writeSecrets(other);
      await beat();
    };
    const { id } = await rotate({ pause });
    expect(beaten).toBeGreaterThan(1);
    expect([gateway, other].map((each) => each.keys().active)).toEqual([id, id]);
    expect([...(await valuesByKey()).keys()]).toEqual([id]);
    expect(await opened(other)).toEqual(await opened(gateway));
  });

  test('a process whose file lacks the active key says so with each heartbeat, and goes on with what it has', async () => {
    const alone = join(directory, 'alone.key');
    await writeKeyFileAnew(alone);
    const process = await openSeal(db, alone);
    await rotate();
    const beat = createHeartbeat({ db, now: systemClock, loops: new Map(), masterKeys: process });
    await expect(beat()).rejects.toThrow(`${alone} lacks the master key`);
    expect((await db.query('SELECT FROM gateway_processes')).rowCount).toBe(1);
    await writeKeyFile(alone, await readKeyFile(file));
    await beat();
    await gateway.follow();
    expect(process.keys()).toEqual(gateway.keys());
  });

  async function writeKeyFileAnew(path: string): Promise<void> {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, '', { mode: 0o600 });
    await writeKeyFile(path, await readKeyFile(file));
  }
});
