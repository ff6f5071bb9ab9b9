import { expect, test } from 'vitest';
import { isZone, lastDays } from './period.ts';

test('days are those of the zone: the clocks of Berlin went forward, so that one lasts 23 hours', () => {
  const days = lastDays(3, 'Europe/Berlin', new Date('2026-03-29T22:30:00Z'));
  expect(days).toEqual([
    { day: '2026-03-28', from: new Date('2026-03-27T23:00:00Z'), to: new Date('2026-03-28T23:00:00Z') },
    { day: '2026-03-29', from: new Date('2026-03-28T23:00:00Z'), to: new Date('2026-03-29T22:00:00Z') },
    { day: '2026-03-30', from: new Date('2026-03-29T22:00:00Z'), to: new Date('2026-03-30T22:00:00Z') },
  ]);
});

test('a day without a midnight begins when its clocks begin', () => {
  const [day] = lastDays(1, 'America/Santiago', new Date('2026-09-06T12:00:00Z'));
  expect(day).toEqual({
    day: '2026-09-06',
    from: new Date('2026-09-06T04:00:00Z'),
    to: new Date('2026-09-07T03:00:00Z'),
  });
});

test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Asia/Calcutta'])(
  '%s is a zone',
  (zone) => expect(isZone(zone)).toBe(true),
);

test.each(['', 'Mars/Olympus', '+02:00', '2026-01-01T00:00Z[Europe/Berlin]', "UTC'; --", 'Europe/Berlin\0'])(
  '%j is none',
  (zone) => expect(isZone(zone)).toBe(false),
);
