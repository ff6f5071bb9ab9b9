import { describe, expect, test } from 'vitest';
import { actions, actionWords } from './keys/actions.ts';
import { actionViews, withheldFrom } from './keys/maker-rights.ts';
import {
  loses,
  mayRole,
  memberRoles,
  type Permission,
  permissions,
  permissionsOf,
  permissionWords,
  viewOf,
} from './roles.ts';

/** Words that two rights had in common would describe neither. */
const areDistinct = (words: readonly string[]): boolean =>
  words.every((each) => each.trim() !== '') && new Set(words).size === words.length;

describe('the words of rights', () => {
  test('each permission has words of its own', () => {
    expect(Object.keys(permissionWords).sort()).toEqual([...permissions].sort());
    expect(areDistinct(Object.values(permissionWords))).toBe(true);
  });

  test('each call of keys has words of its own', () => {
    expect(Object.keys(actionWords).sort()).toEqual([...actions].sort());
    expect(areDistinct(Object.values(actionWords))).toBe(true);
  });

  test.each(memberRoles)('those of the role %s are exactly its permissions, money first', (role) => {
    const shown = viewOf(permissionsOf(role));
    const mayNames = permissions.filter((permission) => mayRole(role, permission));
    expect(shown.map(({ name }) => name).sort()).toEqual([...mayNames].sort());
    expect(shown.map(({ words }) => words).sort()).toEqual(
      mayNames.map((name) => permissionWords[name]).sort(),
    );
    const money = shown.map(({ moves_money }) => moves_money);
    expect(money).toEqual(money.toSorted((a, b) => Number(b) - Number(a)));
  });

  test('finance is said to send money away, and who reads to move none', () => {
    const moneyOf = (role: (typeof memberRoles)[number]): Permission[] =>
      viewOf(permissionsOf(role)).flatMap(({ name, moves_money }) => (moves_money ? [name] : []));
    expect(moneyOf('finance').sort()).toEqual(['accept appeals', 'fund users', 'make payouts']);
    expect(moneyOf('owner')).toEqual(moneyOf('finance'));
    for (const role of ['developer', 'support', 'read-only'] as const) expect(moneyOf(role)).toEqual([]);
  });

  test('a call of keys that is withheld from a role is said to move money', () => {
    const moving = actionViews.flatMap(({ name, moves_money }) => (moves_money ? [name] : []));
    expect(Object.keys(withheldFrom('read-only'))).toEqual(moving);
  });
});

test('a role loses something by every change but one to a role that may as much', () => {
  expect(loses('finance', null)).toBe(true);
  expect(loses('finance', 'support')).toBe(true);
  expect(loses('support', 'developer')).toBe(true);
  for (const role of memberRoles) {
    expect(loses(role, role)).toBe(false);
    expect(loses(role, 'owner')).toBe(false);
  }
});
