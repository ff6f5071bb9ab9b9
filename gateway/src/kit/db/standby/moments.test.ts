import { expect, test } from 'vitest';
import { createMoments } from './moments.ts';

/** A primary that was asked at 0, 1 and 2 s; between the first two `b` was written. */
function asked() {
  const moments = createMoments(60_000);
  moments.note({ atMs: 0, server: 'one', lsn: 100n, marks: ['a'] });
  moments.note({ atMs: 1_000, server: 'one', lsn: 200n, marks: ['a', 'b'] });
  moments.note({ atMs: 2_000, server: 'one', lsn: 300n, marks: ['c', 'b'] });
  return moments;
}

test.each([
  ['all of it', 350n, 2_000],
  ['just all of it', 300n, 2_000],
  ['less', 299n, 1_000],
  ['little', 100n, 0],
  ['less than the oldest', 99n, null],
])('a standby that has %s is as of the newest moment that it has', (_, lsn, at) => {
  expect(asked().reachedBy({ lsn, marks: ['b'] })).toBe(at);
});

test('a standby without what was written since the primary was first asked shows nothing, however far it is', () => {
  expect(asked().reachedBy({ lsn: 1_000n, marks: ['a'] })).toBeNull();
  expect(asked().reachedBy({ lsn: 1_000n, marks: [] })).toBeNull();
});

test('after a failover one that follows the earlier primary shows nothing', () => {
  const moments = asked();
  moments.note({ atMs: 3_000, server: 'two', lsn: 250n, marks: ['b'] });
  const ofEarlier = { lsn: 400n, marks: ['b', 'c'] };
  expect(moments.reachedBy(ofEarlier)).toBeNull();
  moments.note({ atMs: 4_000, server: 'two', lsn: 260n, marks: ['d'] });
  expect(moments.reachedBy(ofEarlier)).toBeNull();
  expect(moments.reachedBy({ lsn: 255n, marks: ['d'] })).toBe(3_000);
});

test('what is older than it is kept is forgotten', () => {
  const moments = asked();
  moments.note({ atMs: 61_500, server: 'one', lsn: 400n, marks: ['e'] });
  expect(moments.reachedBy({ lsn: 250n, marks: ['e'] })).toBeNull();
  expect(moments.reachedBy({ lsn: 350n, marks: ['e'] })).toBe(2_000);
  expect(moments.reachedBy({ lsn: 350n, marks: ['b'] })).toBe(2_000);
  moments.note({ atMs: 62_500, server: 'one', lsn: 400n, marks: ['e'] });
  expect(moments.reachedBy({ lsn: 350n, marks: ['b'] })).toBeNull();
});
