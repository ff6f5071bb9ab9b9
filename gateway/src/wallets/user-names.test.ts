import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { newId } from '../kit/ids.ts';
import { checkNewName, foldedName, lookOf } from './user-names.ts';
import { findUserIds } from './users.ts';

test.each([
  ['Ada', 'ada'],
  ['b0b', 'bob'],
  ['al1ce', 'aIice'],
  ['jane_doe', 'jane.doe'],
  ['jane-doe', 'janedoe'],
  ['corn', 'com'],
  ['l1i', 'iii'],
])('%s and %s look alike', (one, other) => {
  expect(lookOf(one)).toBe(lookOf(other));
});

test('names that differ in more than that do not look alike', () => {
  expect(new Set(['ada', 'ade', 'adam', 'bob', 'rob', 'c0n'].map(lookOf)).size).toBe(6);
});

test.each(['ada', 'A_b-c.9', 'x'.repeat(32)])('%s may be a name', (name) => {
  expect(checkNewName(name, {})).toBeNull();
});

test.each(['ab', 'x'.repeat(33), 'ada lovelace', 'ädä', 'ada@home', '___', '', undefined, 7])(
  '%s may not',
  (name) => {
    expect(checkNewName(name, {})).not.toBeNull();
  },
);

test('names that exist are found without case, and those that collide exactly only', async () => {
  const { db } = await testDatabase();
  const names = ['Mary', 'JO_DOE', 'jo_doe', 'Zoë', 'b0b', 'Bob', 'Kurnia', 'kumia'];
  const ids = new Map(names.map((name) => [name, newId<'user'>()]));
  // As an installation has them that is older than folded names.
  for (const [name, id] of ids) {
    await db.query(`INSERT INTO users (id, username, password_hash, created_at) VALUES ($1, $2, '', now())`, [
      id,
      name,
    ]);
  }
  const migration = readFileSync(new URL('migrations/0230_user_names.sql', import.meta.url), 'utf8');
  for (const statement of migration.split(';').filter((each) => each.includes('UPDATE users'))) {
    await db.query(statement);
  }
  const asked = ['mary', 'MARY', 'Jo_Doe', 'jo_doe', 'zoë', 'ZOë', 'b0b', 'bob', 'nobody'];
  const found = await findUserIds(db, asked);
  const nameOf = (id: string | undefined) => [...ids].find(([, each]) => each === id)?.[0] ?? null;
  expect(asked.map((name) => nameOf(found.get(name)))).toEqual([
    'Mary',
    'Mary',
    null,
    'jo_doe',
    'Zoë',
    'Zoë',
    'b0b',
    'Bob',
    null,
  ]);
  const { rows } = await db.query<{ username: string; folded: string | null; look: string | null }>(
    'SELECT username, folded, look FROM users ORDER BY id',
  );
  for (const { username, folded, look } of rows) {
    expect([null, foldedName(username)]).toContain(folded);
    expect([null, lookOf(username)]).toContain(look);
  }
  // Each look is taken once, so that nobody can sign up with a name that looks like one of them.
  expect(rows.flatMap(({ look }) => look ?? []).sort()).toEqual([...new Set(names.map(lookOf))].sort());
});
