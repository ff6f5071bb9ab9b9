import { expect, test } from 'vitest';
import { slotBefore } from './schedule.ts';

test('the last time of a schedule is that of its weekday, or of each day', () => {
  const times = { weekday: 1, minute: 210 };
  expect(slotBefore(times, new Date('2026-11-30T03:29:00Z'))).toEqual(new Date('2026-11-23T03:30:00Z'));
  expect(slotBefore(times, new Date('2026-11-30T03:30:00Z'))).toEqual(new Date('2026-11-30T03:30:00Z'));
  const daily = { weekday: null, minute: 0 };
  expect(slotBefore(daily, new Date('2026-11-30T03:30:00Z'))).toEqual(new Date('2026-11-30T00:00:00Z'));
});
