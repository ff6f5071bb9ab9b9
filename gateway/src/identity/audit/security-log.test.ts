import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { type TestClock, testClock } from '../../../test/support/fixtures.ts';
import { after, systemClock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { securityEntries } from './audit-log.ts';
import {
  createSecurityLog,
  forgetSecurityEvents,
  type SecurityEvent,
  type SecurityLog,
} from './security-log.ts';

let clock: TestClock;
let log: SecurityLog;
const database = await testDatabase();
const { db } = database;
const serving = database.serving.db;
beforeEach(async () => {
  await db.query('DELETE FROM security_events');
  // Long enough ago that all of it may be forgotten.
  clock = testClock(new Date('2024-03-01T12:00:00Z'));
  log = createSecurityLog(db, clock.now);
});

const failure = (address: string, more: Partial<SecurityEvent> = {}): SecurityEvent => ({
  action: 'failed to sign in',
  actor: { kind: 'stranger', id: null, name: 'somebody' },
  address,
  subject: { kind: 'address', id: address },
  detail: 'password',
  ...more,
});

const rows = async () =>
  (
    await db.query<{ action: string; address: string | null; count: number }>(
      'SELECT action, address, count FROM security_events ORDER BY id',
    )
  ).rows;

test('what happens again within a minute is one row with a count, however often it is written', async () => {
  for (let time = 0; time < 5; time++) log.note(failure('203.0.113.1'));
  await log.flush();
  for (let time = 0; time < 3; time++) log.note(failure('203.0.113.1'));
  clock.advance(1);
  log.note(failure('2001:db8::1'));
  log.note(failure('2001:db8::2', { subject: { kind: 'address', id: '2001:db8::1' } }));
  await log.flush();
  await log.flush();
  expect(await rows()).toEqual([
    { action: 'failed to sign in', address: '203.0.113.1', count: 8 },
    { action: 'failed to sign in', address: '2001:db8::/64', count: 2 },
  ]);
  clock.advance(60);
  log.note(failure('203.0.113.1'));
  await log.flush();
  expect((await rows()).map(({ count }) => count)).toEqual([8, 2, 1]);
});

test('a flood from everywhere takes few rows, and every event of it is counted', async () => {
  const day = 24;
  for (let hour = 0; hour < day; hour++) {
    for (let index = 0; index < 2_000; index++) log.note(failure(`10.${hour}.${index >> 8}.${index & 255}`));
    await log.flush();
    clock.advance(3600);
  }
  const written = await rows();
  expect(written.length).toBeLessThan(day * 501 + 501);
  expect(written.reduce((sum, { count }) => sum + count, 0)).toBe(day * 2_000);
  expect(written.filter(({ address }) => address === null)).toHaveLength(day);
});

test('what could not be written is written later', async () => {
  let isDown = true;
  const query = (async (...input: Parameters<Database['query']>) => {
    if (isDown) throw new Error('no database');
    return await db.query(...input);
  }) as Database['query'];
  log = createSecurityLog({ ...db, query } as Database, clock.now);
  log.note(failure('203.0.113.1'));
  await expect(log.flush()).rejects.toThrow('no database');
  clock.advance(120);
  isDown = false;
  await log.flush();
  expect(await rows()).toMatchObject([{ count: 1 }]);
});

test('events are found by account, business and words, and forgotten after their time', async () => {
  const account = newId();
  const merchantId = newId();
  log.note(failure('203.0.113.1', { subject: { kind: 'account', id: account } }));
  const refused = 'was refused for lack of rights';
  clock.advance(1);
  log.note(failure('203.0.113.2', { action: refused, merchantId, detail: 'role' }));
  await log.flush();
  const page = { before: null, limit: 10 };
  const actions = async (
    ...input: Parameters<typeof securityEntries> extends [unknown, ...infer Rest] ? Rest : never
  ) => (await securityEntries(db, ...input)).map(({ action }) => action);
  expect(await actions({ subject: { kind: 'account', id: account } }, page)).toEqual(['failed to sign in']);
  expect(await actions({ merchantId }, page)).toEqual([refused]);
  expect(await actions({ all: true }, page)).toEqual([refused, 'failed to sign in']);
  expect(await actions({ all: true }, page, { action: 'SIGN' })).toEqual(['failed to sign in']);
  expect(await actions({ operators: true }, page)).toEqual([]);
  await forgetSecurityEvents(serving, after(clock.now(), -1));
  expect(await rows()).toHaveLength(2);
  await forgetSecurityEvents(serving, after(clock.now(), 1));
  expect(await rows()).toHaveLength(0);
});

test('events of the last weeks stay, whatever the role that serves asks to be forgotten', async () => {
  for (const [address, daysAgo] of [
    ['203.0.113.1', 0],
    ['203.0.113.2', 28],
    ['203.0.113.3', 30],
  ] as const) {
    const of = createSecurityLog(serving, () => after(systemClock(), -daysAgo * 86_400));
    of.note(failure(address));
    await of.flush();
  }
  await forgetSecurityEvents(serving, after(systemClock(), 3_600));
  expect((await rows()).map(({ address }) => address)).toEqual(['203.0.113.2', '203.0.113.1']);
  await expect(serving.query('DELETE FROM security_events')).rejects.toThrow('permission denied');
});
