import { expect, test } from 'vitest';
import { drawCurves, panelsOf } from './curves.ts';
import { judge, type Seen, secondsUntil } from './judge.ts';
import type { SecondFigure } from './lives-at-rate.ts';
import { readSoakOptions, scheduleOf } from './schedule.ts';
import { growthOf, slopeOf } from './trend.ts';
import type { Sample } from './watch.ts';

const schedule = scheduleOf(30);
const perSecond = 500;
const bytesOfPayment = 5_000;
const ends = schedule.afterEnds;
const isOverloaded = (at: number): boolean => at >= schedule.usualEnds && at < schedule.overloadEnds;
/** Noise that is the same each time. */
const noise = (at: number): number => ((at * 7919) % 13) / 13 - 0.5;

function usualSecond(at: number): SecondFigure {
  const due = perSecond * (isOverloaded(at) ? 3 : 1);
  const completed = Math.min(due, 800);
  return {
    due,
    completed,
    refused: due - completed,
    left: 0,
    p50Ms: 40 + 4 * noise(at),
    p99Ms: 90 + 20 * noise(at),
  };
}

function usualSample(at: number): Sample {
  return {
    ...{ atMs: at * 1000, gatewayMb: 250 + 60 * noise(at), databaseMb: 140 + 10 * noise(at + 3) },
    ...{ descriptors: 640 + Math.round(4 * noise(at)), connections: 24, deadPart: 0.1 + 0.1 * noise(at) },
    ...{ tablesMb: 60 + (perSecond * bytesOfPayment * at) / 1e6, walMb: 1_500 },
  };
}

type Changes = {
  second?: (at: number) => Partial<SecondFigure>;
  sample?: (at: number) => Partial<Sample>;
  seen?: Partial<Seen>;
};

/** Half an hour in which all is right, but for these changes. */
function seenWith({ second, sample, seen }: Changes = {}): Seen {
  const each = Array.from({ length: ends }, (_, at) => at);
  return {
    ...{ schedule, limit: perSecond / 0.7, walLimitMb: 2_147 },
    rate: {
      ...{ startedAtMs: 0, withoutRetryAfter: 0, faults: {}, cpu: 0.2 },
      seconds: each.map((at) => ({ ...usualSecond(at), ...second?.(at) })),
    },
    samples: each.filter((at) => at % 3 === 0).map((at) => ({ ...usualSample(at), ...sample?.(at) })),
    books: {
      ...{ created: 9, completed: 9, events: 9, arrivals: 9, faults: [], audit: 'clean', isClean: true },
      lagsMs: each.map((at) => (isOverloaded(at) ? 900 : 30 + 5 * noise(at))),
    },
    ...seen,
  };
}

const broken = (changes: Changes): string[] =>
  judge(seenWith(changes)).flatMap(({ what, isMet }) => (isMet ? [] : [what]));

test('half an hour in which all stays as it is holds every rule', () => {
  expect(broken({})).toEqual([]);
});

test.each<[string, Changes]>([
  ['memory of the gateway', { sample: (at) => ({ gatewayMb: usualSample(at).gatewayMb + at / 30 }) }],
  ['memory of PostgreSQL', { sample: (at) => ({ databaseMb: 140 + at / 60 }) }],
  ['open files and sockets', { sample: (at) => ({ descriptors: 640 + Math.floor(at / 15) }) }],
  ['connections to the database', { sample: (at) => ({ connections: 24 + Math.floor(at / 200) }) }],
  [
    'tables and indexes for each payment',
    { sample: (at) => ({ tablesMb: usualSample(at).tablesMb + at ** 2 / 2_000 }) },
  ],
  ['dead rows', { sample: (at) => ({ deadPart: at === 1_500 ? 0.3 : 0.1 }) }],
  ['WAL on the disk', { sample: (at) => ({ walMb: at === 1_950 ? 4_000 : 1_500 }) }],
  [
    'payments at 70 % of the limit',
    { second: (at) => (at % 100 === 0 ? { completed: 400, refused: 100 } : {}) },
  ],
  ['requests are as usual again', { second: (at) => (at - schedule.overloadEnds < 6 ? { p50Ms: 400 } : {}) }],
])('%s', (what, changes) => {
  // Slow seconds before the end of the overload are none of its rule.
  const after: Changes = {
    ...changes,
    ...(what.startsWith('requests') && {
      second: (at) => (at >= schedule.overloadEnds ? (changes.second?.(at) ?? {}) : {}),
    }),
  };
  expect(broken(after)).toEqual([what]);
});

test('webhooks that come late after the overload, answers of another kind and books that differ are told', () => {
  const { books, rate } = seenWith();
  const late = books.lagsMs.map((lag, at) => (at >= schedule.overloadEnds && at < ends - 60 ? 900 : lag));
  expect(broken({ seen: { books: { ...books, lagsMs: late } } })).toEqual(['webhooks are as usual again']);
  const faults = { 500: { count: 2, first: 'HTTP/1.1 500' } };
  expect(broken({ seen: { rate: { ...rate, faults } } })).toEqual(['answers, in the overload too']);
  expect(broken({ seen: { books: { ...books, faults: ['1 webhooks are missing'] } } })).toEqual([
    'what was answered',
  ]);
  expect(broken({ seen: { books: { ...books, isClean: false } } })).toEqual(['the books']);
});

test('it is normal again with the first of three normal seconds in a row', () => {
  const isNormal = (ms: number): boolean => ms < 100;
  expect(secondsUntil([10, 20, 30], isNormal)).toBe(0);
  expect(secondsUntil([10, 500, 10, 20, 30], isNormal)).toBe(2);
  expect(secondsUntil([10, 20], isNormal)).toBe(Number.POSITIVE_INFINITY);
});

test('a slope is not moved by outliers', () => {
  const points = Array.from({ length: 100 }, (_, x) => ({ x, y: x % 17 === 0 ? 10_000 : 100 + x }));
  expect(slopeOf(points)).toBeCloseTo(1, 1);
  expect(growthOf([0, 1, 2].map((x) => ({ x, y: 100 + 5 * x })))).toEqual({ by: 10, part: 10 / 105 });
});

test.each(['light', 'dark'] as const)('every curve is drawn in %s', (look) => {
  const panels = panelsOf(seenWith());
  const drawn = drawCurves(panels, look, { from: 30, to: 35 });
  const curves = panels.flatMap((panel) => panel.curves);
  expect(drawn.match(/<polyline /g)?.length).toBe(curves.length);
  for (const { title, curves: ofPanel } of panels) {
    expect(drawn).toContain(`>${title}<`);
    for (const { name } of ofPanel) expect(drawn).toContain(`>${name}<`);
  }
  expect(drawn).not.toMatch(/NaN|undefined|Infinity/);
  expect(drawn.length).toBeLessThan(80_000);
});

test('only a long run is written', () => {
  expect(readSoakOptions([])).toEqual({ minutes: 30, write: true });
  expect(readSoakOptions(['--minutes', '10'])).toEqual({ minutes: 10, write: true });
  expect(readSoakOptions(['--minutes', '1']).write).toBe(false);
  expect(readSoakOptions(['--dry']).write).toBe(false);
  expect(() => readSoakOptions(['--minutes', 'all'])).toThrow('positive');
});

test('a shorter run has the same shares', () => {
  expect(schedule).toMatchObject({
    measureSeconds: 60,
    usualEnds: 1_800,
    overloadEnds: 2_100,
    afterEnds: 2_220,
  });
  expect(scheduleOf(3)).toMatchObject({
    measureSeconds: 30,
    usualEnds: 180,
    overloadEnds: 210,
    afterEnds: 270,
  });
});
