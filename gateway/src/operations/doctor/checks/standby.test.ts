import { expect, test } from 'vitest';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { checkStandby, judgeStandby } from './standby.ts';

const good = { system: '7', follows: true, feedback: 'on', seconds: 0 };

test.each([
  ['follows closely', {}, 'ok'],
  ['is as old as it may be', { seconds: 60 }, 'ok'],
  ['is older', { seconds: 61 }, 'behind'],
  ['may end long exports', { feedback: 'off' }, 'no_feedback'],
  ['takes writes', { follows: false }, 'takes_writes'],
  ['is of another cluster', { system: '8', follows: false }, 'other'],
])('a standby that %s is found so', (_, seen, finding) => {
  const wanted = { system: '7', maxAgeSeconds: 60 };
  expect(judgeStandby('db2:5432', { ...good, ...seen }, wanted)).toMatchObject([{ finding }]);
});

test('where none is set there is nothing to look at, and without the database nothing to compare', async () => {
  expect(await findingsOf(checkStandby, await examinedWith())).toEqual([['none', null]]);
  const set = {
    DATABASE_URL: 'postgres://florin_app@127.0.0.1:1/florin',
    MASTER_KEY: '07'.repeat(32),
    READ_DATABASE_URL: 'postgres://florin_app@127.0.0.1:1/florin',
  };
  expect(await findingsOf(checkStandby, await examinedWith(set))).toEqual([['no_database', null]]);
});
