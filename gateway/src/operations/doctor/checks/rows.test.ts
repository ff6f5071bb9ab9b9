import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { seedIntegration, testSeal } from '../../../../test/support/fixtures.ts';
import { newId } from '../../../kit/ids.ts';
import { checkBackups } from './backups.ts';
import { checkKeys } from './keys.ts';
import { checkReserves } from './reserves.ts';
import { checkStamps } from './stamps.ts';
import { checkWebhooks } from './webhooks.ts';

// What is found in the rows of a database.

const { db } = await testDatabase();
const { integrationId } = await seedIntegration(db, testSeal, { name: 'Nib & Folio' });

test('rows that wait for their stamp are late after a minute, and stamping has stopped after a quarter of an hour', async () => {
  const look = async () => (await findingsOf(checkStamps, await examinedWith({}, { db })))[0]?.[0];
  const wait = (seconds: number) =>
    db.query(
      `INSERT INTO audit_log (id, at, actor_kind, actor_name, as_operator, action, subject_kind, subject_id)
       VALUES ($1, now() - $2 * interval '1 second', 'gateway', 'Florin', false, 'was here', 'test', '1')`,
      [newId(), seconds],
    );
  expect(await look()).toBe('ok');
  await wait(90);
  expect(await look()).toBe('late');
  await db.query(
    'SET session_replication_role = replica; DELETE FROM audit_log; RESET session_replication_role',
  );
  await wait(1_000);
  expect(await look()).toBe('stopped');
});

test('a backup that is missing, one that is not good, and one that nobody can try are faults', async () => {
  const env = { BACKUP_TO: '/var/backups/florin' };
  const look = async (hours = 0, more = {}) => {
    const now = () => new Date(Date.UTC(2026, 10, 30, 3) + hours * 3_600_000);
    return (await findingsOf(checkBackups, await examinedWith({ ...env, ...more }, { db, now }))).map(
      ([finding]) => finding,
    );
  };
  expect(await findingsOf(checkBackups, await examinedWith({}, { db }))).toEqual([['none', null]]);
  expect(await look()).toEqual(['not_yet', 'plain']);
  await db.query(
    `INSERT INTO backups (id, place, path, kind, florin, is_encrypted, started_at, ended_at, bytes, sha256)
     VALUES ($1, '/var/backups/florin', 'one.backup', 'scheduled', '0.1.0', false, $2, $2, 1, repeat('a', 64))`,
    [newId(), '2026-11-30T02:00:00Z'],
  );
  expect(await look()).toEqual(['ok', 'plain']);
  expect(await look(48)).toEqual(['missing', 'plain']);
  expect(await look(24 * 9)).toEqual(['missing', 'drill_missing', 'plain']);
  await db.query(
    `INSERT INTO drills (id, place, path, started_at, ended_at, fault)
     VALUES ($1, '/var/backups/florin', 'one.backup', $2, $2, 'a row is missing')`,
    [newId(), '2026-11-30T02:00:00Z'],
  );
  expect(await look()).toEqual(['drill_failed', 'plain']);
});

test('the newest comparison of the reserves is judged, and its age', async () => {
  const pi = { pi: { isTest: false, horizonUrls: [] } };
  const look = async (now = new Date()) =>
    await findingsOf(checkReserves, await examinedWith({}, { db, now: () => now, config: pi as never }));
  expect((await findingsOf(checkReserves, await examinedWith({}, { db })))[0]?.[0]).toBe('none');
  expect((await look())[0]?.[0]).toBe('not_yet');
  const keep = (items: object[], missing: object[]) =>
    db.query('INSERT INTO reserve_reports (id, at, items, missing) VALUES ($1, now(), $2, $3)', [
      ...[newId(), JSON.stringify(items), JSON.stringify(missing)],
    ]);
  await keep([{ asset: 'pi', difference: '0' }], []);
  expect((await look())[0]?.[0]).toBe('ok');
  expect((await look(new Date(Date.now() + 3_700_000)))[0]?.[0]).toBe('old');
  await keep([{ asset: 'pi', difference: '-2.5' }], [{ asset: 'usdc-bep20', why: 'no endpoint answers' }]);
  expect(await look()).toEqual([
    ['differ', expect.stringContaining('-2.5 pi')],
    ['missing', 'usdc-bep20: no endpoint answers'],
  ]);
});

test('a key that is used shortly before its end is named by its last characters', async () => {
  const look = async () => await findingsOf(checkKeys, await examinedWith({}, { db }));
  expect(await look()).toEqual([['ok', null]]);
  await db.query(
    `UPDATE api_keys SET valid_until = now() + interval '3 days', last_used_at = now() WHERE id = (SELECT min(id::text)::uuid FROM api_keys)`,
  );
  expect(await look()).toEqual([['ending', expect.stringMatching(/^Nib & Folio \(….+\) until /)]]);
});

test('endpoints in private networks, of unknown names, and those that fail are named without their paths', async () => {
  const look = async (env = {}) => await findingsOf(checkWebhooks, await examinedWith(env, { db }));
  expect(await look()).toEqual([['ok', '0 endpoints']]);
  const add = (url: string, failing: string | null) =>
    db.query(
      `INSERT INTO webhook_endpoints (id, integration_id, mode, url, events, secret, failing_since)
       VALUES ($1, $2, 'live', $3, '{}', '\\x00', $4)`,
      [newId(), integrationId, url, failing],
    );
  await db.query('ALTER TABLE webhook_endpoints DISABLE TRIGGER USER');
  await add('https://10.0.0.7/hook?key=of-a-merchant', null);
  await add('https://nowhere.invalid/hook', '2026-01-01');
  expect(await look()).toEqual([
    ['private', 'Nib & Folio: 10.0.0.7'],
    ['unresolved', 'Nib & Folio: nowhere.invalid'],
    ['failing', '1'],
  ]);
  expect((await look({ WEBHOOK_ALLOW_PRIVATE: '1' })).map(([finding]) => finding)).toEqual([
    ...['unresolved', 'failing'],
  ]);
});
