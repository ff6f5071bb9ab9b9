import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crockfordTime, isUuid, newId, randomBase62, randomCrockford, randomToken } from './ids.ts';

test('an id is a version 7 UUID that begins with its time', () => {
  const id = newId(new Date('2026-03-01T12:00:00Z'));
  expect(isUuid(id)).toBe(true);
  expect(id[14]).toBe('7');
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-03-01T12:00:00Z'));
});

test('later ids sort after earlier ones', () => {
  const times = fc.integer({ min: 0, max: 2 ** 47 });
  fc.assert(
    fc.property(times, times, (a, b) => {
      if (a < b) expect(newId(new Date(a)) < newId(new Date(b))).toBe(true);
    }),
  );
});

test('ids of one millisecond sort in the order in which they were made', () => {
  const now = new Date();
  const ids = Array.from({ length: 4_096 }, () => newId(now));
  expect(ids.toSorted()).toEqual(ids);
});

test('ids of one millisecond differ', () => {
  const now = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => newId(now))).size).toBe(10_000);
});

test('only a whole lower-case UUID is one', () => {
  const id = newId();
  for (const text of ['', id.toUpperCase(), `${id}0`, ` ${id}`, `{${id}}`, id.replaceAll('-', '')]) {
    expect(isUuid(text)).toBe(false);
  }
});

test('times in base 32 have eight characters and sort as the times do', () => {
  expect(crockfordTime(0)).toBe('00000000');
  expect(crockfordTime(32)).toBe('00000010');
  expect(crockfordTime(2 ** 40 - 1)).toBe('ZZZZZZZZ');
  const seconds = fc.integer({ min: 0, max: 2 ** 40 - 1 });
  fc.assert(
    fc.property(seconds, seconds, (a, b) => {
      expect(crockfordTime(a) < crockfordTime(b)).toBe(a < b);
    }),
  );
});

test('random texts have their length and their alphabet', () => {
  for (const length of [1, 20, 100]) {
    expect(randomCrockford(length)).toMatch(new RegExp(`^[0-9A-HJKMNP-TV-Z]{${length}}$`));
    expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
  }
  expect(randomToken()).toMatch(/^[\w-]{22}$/);
});

test('every base-62 character is as likely as any other', () => {
  const counts = new Map<string, number>();
  for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // Seven standard deviations of a count whose mean is 1,000.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(222);
});
