import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BackupsConfig } from '../../config/backups.ts';
import { backupsToKeep } from './retention.ts';
import { type BackupState, backupFaults, isDrillDue, missingSince, nextBackupAt } from './schedule.ts';

const none: BackupState = {
  ...{ last_good_at: null, failures: 0, first_failed_at: null, last_failed_at: null, last_fault: null },
  ...{ last_good_drill_at: null, last_drill_at: null, last_drill_fault: null, first_at: null },
};
const at = (text: string): Date => new Date(`2026-${text}:00Z`);
const two = 120;

describe('the next backup', () => {
  const next = (state: Partial<BackupState>, now: string): string =>
    nextBackupAt({ ...none, ...state }, two, at(now))
      .toISOString()
      .slice(5, 16);

  test.each([
    ['the first is made at once', {}, '03-10T12:00', '03-10T02:00'],
    [
      'one that was made is followed on the next day',
      { last_good_at: at('03-10T02:00') },
      '03-10T02:01',
      '03-11T02:00',
    ],
    [
      'one by hand at noon does not stand for that of the night',
      { last_good_at: at('03-09T12:00') },
      '03-10T02:00',
      '03-10T02:00',
    ],
    [
      'before its time that of the day before counts',
      { last_good_at: at('03-09T02:00') },
      '03-10T01:59',
      '03-10T02:00',
    ],
    [
      'one that was missed is made when the gateway is there again',
      { last_good_at: at('03-01T02:00') },
      '03-10T12:00',
      '03-10T02:00',
    ],
  ])('%s', (_, state, now, expected) => {
    expect(next(state, now)).toBe(expected);
  });

  test.each([
    [1, '02:01'],
    [2, '02:02'],
    [3, '02:04'],
    [7, '03:00'],
    [5_000, '03:00'],
  ])('after %d failures it begins again at %s', (failures, time) => {
    const state = { last_good_at: at('03-09T02:00'), failures, last_failed_at: at('03-10T02:00') };
    expect(next(state, '03-10T02:00')).toBe(`03-10T${time}`);
  });
});

describe('what operators should look at', () => {
  const config = { atMinute: two, drillDays: 7 } as BackupsConfig;
  const good = {
    ...none,
    last_good_at: at('03-10T02:00'),
    last_good_drill_at: at('03-10T02:00'),
    last_drill_at: at('03-10T02:00'),
    first_at: at('03-01T02:00'),
  };
  const found = (state: BackupState, now: string) =>
    backupFaults(state, config, at(now)).map(({ what }) => what);

  test('is nothing while backups are made and tried', () => {
    expect(found(good, '03-11T07:59')).toEqual([]);
    expect(found(none, '03-11T02:00')).toEqual([]);
  });

  test('is a backup that is six hours late, the first one too', () => {
    expect(found(good, '03-11T08:00')).toEqual(['backup_missing']);
    expect(missingSince(good, two, at('03-12T08:00'))).toEqual(at('03-11T02:00'));
    const first = {
      ...none,
      failures: 3,
      first_failed_at: at('03-10T12:00'),
      last_fault: 'no disk',
      first_at: at('03-10T12:00'),
    };
    expect(found(first, '03-10T17:59')).toEqual([]);
    expect(backupFaults(first, config, at('03-10T18:00'))).toEqual([
      { what: 'backup_missing', since: at('03-10T12:00'), why: 'no disk' },
    ]);
  });

  test('is a drill that failed, at once, or none for eight days', () => {
    const later = { ...good, last_good_at: at('03-18T02:00') };
    expect(found(later, '03-18T01:59')).toEqual([]);
    expect(found(later, '03-18T02:00')).toEqual(['drill_missing']);
    expect(
      found({ ...later, last_drill_at: at('03-17T02:00'), last_drill_fault: 'other sums' }, '03-17T02:01'),
    ).toEqual(['drill_failed']);
    const never = { ...later, last_good_drill_at: null, last_drill_at: null };
    expect(found(never, '03-09T01:00')).toEqual([]);
    expect(found(never, '03-09T02:00')).toEqual(['drill_missing']);
    expect(backupFaults(never, { ...config, drillDays: 0 }, at('03-09T02:00'))).toEqual([]);
  });

  test('a drill is due with the backup of its seventh day, and never where it is turned off', () => {
    expect(isDrillDue(good, 7, at('03-16T02:00'))).toBe(false);
    expect(isDrillDue(good, 7, at('03-17T02:00'))).toBe(true);
    expect(isDrillDue(none, 7, at('03-17T02:00'))).toBe(true);
    expect(isDrillDue(none, 0, at('03-17T02:00'))).toBe(false);
  });
});

describe('what is kept', () => {
  const dayMs = 86_400_000;
  const named = (times: string[], keep = { days: 7, weeks: 4, months: 12 }) =>
    [
      ...backupsToKeep(
        times.map((time) => ({ started_at: at(time) })),
        keep,
      ),
    ]
      .map(({ started_at }) => started_at.toISOString().slice(5, 16))
      .sort();

  test('is the newest of each day, week and month that is asked for', () => {
    const days = Array.from({ length: 60 }, (_, day) => new Date(at('05-10T02:00').getTime() - day * dayMs));
    const times = days.map((day) => day.toISOString().slice(5, 16));
    // The tenth of May is a Sunday.
    expect(named(times, { days: 3, weeks: 3, months: 2 })).toEqual([
      '04-26T02:00',
      '04-30T02:00',
      '05-03T02:00',
      '05-08T02:00',
      '05-09T02:00',
      '05-10T02:00',
    ]);
    expect(named(['05-10T02:00', '05-10T12:00', '05-09T02:00'], { days: 1, weeks: 0, months: 0 })).toEqual([
      '05-10T12:00',
    ]);
    expect(named(['05-10T02:00', '05-09T02:00'], { days: 0, weeks: 0, months: 0 })).toEqual(['05-10T02:00']);
    expect(named([])).toEqual([]);
  });

  test('covers each of the last days, weeks and months that have a backup, keeps the newest, and no more than asked for', () => {
    const count = fc.integer({ min: 0, max: 8 });
    const periods = {
      days: (date: Date) => date.toISOString().slice(0, 10),
      weeks: (date: Date) => {
        const monday = new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * dayMs);
        return monday.toISOString().slice(0, 10);
      },
      months: (date: Date) => date.toISOString().slice(0, 7),
    };
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 * 24 }), { minLength: 1, maxLength: 80 }),
        fc.record({ days: count, weeks: count, months: count }),
        (hours, keep) => {
          const backups = hours.map((hour) => ({
            started_at: new Date(at('01-01T00:00').getTime() + hour * 3_600_000),
          }));
          const kept = backupsToKeep(backups, keep);
          const newest = backups.toSorted((a, b) => b.started_at.getTime() - a.started_at.getTime());
          expect([...kept].some(({ started_at }) => +started_at === +newest[0]!.started_at)).toBe(true);
          for (const name of ['days', 'weeks', 'months'] as const) {
            const asked = [...new Set(newest.map(({ started_at }) => periods[name](started_at)))].slice(
              0,
              keep[name],
            );
            for (const period of asked) {
              const last = newest.find(({ started_at }) => periods[name](started_at) === period);
              expect([...kept].some(({ started_at }) => +started_at === +last!.started_at)).toBe(true);
            }
          }
          expect(kept.size).toBeLessThanOrEqual(Math.max(1, keep.days + keep.weeks + keep.months));
        },
      ),
      { numRuns: 200 },
    );
  });
});
