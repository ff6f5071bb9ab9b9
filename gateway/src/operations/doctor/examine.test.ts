import { expect, test } from 'vitest';
import { examinedWith } from '../../../test/support/doctor.ts';
import { checkNames, countsOf, examine } from './examine.ts';

test('every check says something of an installation without a database, or needs one', async () => {
  const findings = await examine(await examinedWith());
  const needing = ['maintenance', 'stamps', 'reserves', 'keys', 'webhooks'];
  const said = new Set(findings.map(({ check }) => check));
  expect(checkNames.filter((name) => !said.has(name)).toSorted()).toEqual(needing.toSorted());
  expect(findings.every(({ level, todo }) => level === 'ok' || todo !== null)).toBe(true);
  const levels = findings.map(({ level }) => level);
  expect(levels).toEqual(levels.toSorted((one, other) => order(one) - order(other)));
  expect(Object.values(countsOf(findings)).reduce((sum, count) => sum + count, 0)).toBe(findings.length);
});

const order = (level: string) => ['fault', 'warning', 'unknown', 'ok'].indexOf(level);

test('a check that takes too long or fails is not known, and the others end', async () => {
  const db = { query: () => new Promise(() => {}) } as never;
  const slow = await examine(await examinedWith({}, { db, isMigrated: async () => true }), { limitMs: 300 });
  const ofDatabase = slow.find(({ check }) => check === 'database');
  expect(ofDatabase).toMatchObject({ finding: 'timed_out', level: 'unknown' });
  expect(slow.find(({ check }) => check === 'disk')?.finding).not.toBe('timed_out');
  const broken = {
    query: async () => {
      throw new Error('no such thing');
    },
  } as never;
  const failed = await examine(await examinedWith({}, { db: broken, isMigrated: async () => true }));
  expect(failed.find(({ check }) => check === 'stamps')).toMatchObject({
    finding: 'failed',
    detail: 'no such thing',
  });
});
