import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteServerTime, serverNow } from './server-clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:00:00Z') });
});

afterEach(() => {
  noteServerTime(new Date().toUTCString());
  vi.useRealTimers();
});

test('before an answer has come it is the time of the device', () => {
  expect(serverNow()).toEqual(new Date('2026-11-20T12:00:00Z'));
});

test.each([
  ['two minutes ahead', 'Fri, 20 Nov 2026 12:02:00 GMT', '2026-11-20T12:02:00Z'],
  ['an hour behind', 'Fri, 20 Nov 2026 11:00:00 GMT', '2026-11-20T11:00:00Z'],
  ['a second behind, as answers always are', 'Fri, 20 Nov 2026 11:59:59 GMT', '2026-11-20T12:00:00Z'],
])('a server that is %s is followed as far as it matters', (_, date, now) => {
  noteServerTime(date);
  expect(serverNow()).toEqual(new Date(now));
  vi.advanceTimersByTime(60_000);
  expect(serverNow().getTime() - new Date(now).getTime()).toBe(60_000);
});

test('an answer that names no time changes nothing', () => {
  noteServerTime('Fri, 20 Nov 2026 12:02:00 GMT');
  noteServerTime(null);
  expect(serverNow()).toEqual(new Date('2026-11-20T12:02:00Z'));
});
