import type { RateReply, SecondFigure } from './lives-at-rate.ts';
import type { Books } from './reckon.ts';
import type { Schedule } from './schedule.ts';
import { growthOf, medianOf, type Point, quantile, slopeOf } from './trend.ts';
import type { Sample } from './watch.ts';

/** What a soak saw. Its seconds are counted from the beginning of the usual load. */
export type Seen = {
  schedule: Schedule;
  /** Whole lives a second that it takes from a closed load. */
  limit: number;
  rate: RateReply;
  samples: readonly Sample[];
  /** `max_wal_size` of the database. */
  walLimitMb: number;
  books: Books;
};

export type Verdict = { what: string; rule: string; found: string; isMet: boolean };

/** `noise`: by so much it may always grow. */
type Flat = { what: string; unit: string; digits: number; of(sample: Sample): number; noise: number };

const flats: Flat[] = [
  { what: 'memory of the gateway', unit: 'MB', digits: 0, of: ({ gatewayMb }) => gatewayMb, noise: 16 },
  { what: 'memory of PostgreSQL', unit: 'MB', digits: 0, of: ({ databaseMb }) => databaseMb, noise: 16 },
  { what: 'open files and sockets', unit: '', digits: 0, of: ({ descriptors }) => descriptors, noise: 5 },
  {
    what: 'connections to the database',
    ...{ unit: '', digits: 0, of: ({ connections }: Sample) => connections, noise: 3 },
  },
];
const mostGrowth = 0.1;
const mostDead = 0.25;
const mostWal = 1.5;
const normalWithinSeconds = 5;
const normalInRow = 3;
/** The usual load is normal in so many of its seconds. */
const usualPart = 0.95;

/** Each rule with what was found. */
export function judge(seen: Seen): Verdict[] {
  return [
    ...usualLoad(seen),
    ...flats.map((flat) => judgeFlat(flat, steady(seen))),
    bytesOfPayment(seen),
    deadRows(seen),
    wal(seen),
    ...overload(seen),
    ...booksOf(seen),
  ];
}

/** The samples of the usual load after the warm-up, by their second. */
function steady({ schedule, rate, samples }: Seen): { x: number; sample: Sample }[] {
  return samples
    .map((sample) => ({ x: (sample.atMs - rate.startedAtMs) / 1000, sample }))
    .filter(({ x }) => x >= schedule.warmUpEnds && x < schedule.usualEnds);
}

const steadySeconds = ({ schedule, rate }: Seen): SecondFigure[] =>
  rate.seconds.slice(Math.floor(schedule.warmUpEnds), Math.floor(schedule.usualEnds));

const shown = (value: number, digits = 0): string =>
  Number.isNaN(value)
    ? 'unknown'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const percent = (part: number): string => `${shown(part * 100, 1)} %`;

function usualLoad(seen: Seen): Verdict[] {
  const seconds = seen.rate.seconds.slice(0, Math.floor(seen.schedule.usualEnds));
  const sum = (of: keyof SecondFigure) => seconds.reduce((all, second) => all + second[of], 0);
  const part = sum('completed') / sum('due');
  const steadyOnes = steadySeconds(seen);
  const times = (['p50Ms', 'p99Ms'] as const).map((of) =>
    shown(medianOf(steadyOnes.map((each) => each[of]))),
  );
  return [
    {
      what: 'payments at 70 % of the limit',
      rule: 'at least 99.9 % are created and paid',
      found: `${percent(part)} of ${shown(sum('due'))}; a second's p50 ${times[0]} ms, p99 ${times[1]} ms`,
      isMet: part >= 0.999,
    },
  ];
}

function judgeFlat(
  { what, unit, digits, of, noise }: Flat,
  samples: readonly { x: number; sample: Sample }[],
): Verdict {
  const points = samples.map(({ x, sample }) => ({ x, y: of(sample) }));
  const { by, part } = growthOf(points);
  const after = unit && ` ${unit}`;
  return {
    what,
    rule: `grows by at most ${shown(mostGrowth * 100)} %, or ${noise}${after}`,
    found: `${shown(medianOf(points.map(({ y }) => y)), digits)}${after}; ${by < 0 ? '' : '+'}${shown(by, 1)}${after}, ${percent(part)}`,
    isMet: by <= noise || part <= mostGrowth,
  };
}

/** How many payments were completed until each second. */
function completedUntil(seconds: readonly SecondFigure[]): number[] {
  let all = 0;
  return seconds.map(({ completed }) => {
    all += completed;
    return all;
  });
}

/** The size of all tables over the payments that were completed. */
function sizes(seen: Seen): Point[] {
  const completed = completedUntil(seen.rate.seconds);
  return steady(seen).map(({ x, sample }) => ({
    x: completed[Math.floor(x)] ?? completed.at(-1) ?? 0,
    y: sample.tablesMb * 1e6,
  }));
}

function bytesOfPayment(seen: Seen): Verdict {
  const points = sizes(seen);
  const middle = points.length >> 1;
  const [first, second] = [slopeOf(points.slice(0, middle)), slopeOf(points.slice(middle))];
  return {
    what: 'tables and indexes for each payment',
    rule: `the second half at most ${shown(mostGrowth * 100)} % more than the first`,
    found: `${shown(first)} bytes, then ${shown(second)}`,
    isMet: second <= first * (1 + mostGrowth),
  };
}

function deadRows(seen: Seen): Verdict {
  const parts = steady(seen).map(({ sample }) => sample.deadPart);
  return {
    what: 'dead rows',
    rule: `at most ${shown(mostDead * 100)} % of all rows`,
    found: `at most ${percent(Math.max(...parts))}`,
    isMet: Math.max(...parts) <= mostDead,
  };
}

function wal({ samples, walLimitMb }: Seen): Verdict {
  const most = Math.max(...samples.map(({ walMb }) => walMb));
  return {
    what: 'WAL on the disk',
    rule: `at most ${mostWal} times max_wal_size, with the overload`,
    found: `${shown(most)} MB at most; max_wal_size is ${shown(walLimitMb)} MB`,
    isMet: most <= walLimitMb * mostWal,
  };
}

function overload(seen: Seen): Verdict[] {
  const { schedule, rate, books } = seen;
  const ends = Math.ceil(schedule.overloadEnds);
  const during = rate.seconds.slice(Math.ceil(schedule.usualEnds), Math.floor(schedule.overloadEnds));
  const sum = (of: keyof SecondFigure) => during.reduce((all, second) => all + second[of], 0);
  const others = Object.entries(rate.faults).map(([of, { count }]) => `${count} times ${of}`);
  const requests = secondsUntil(rate.seconds.slice(ends), normalOf(steadySeconds(seen)));
  const usualLag = quantile(
    books.lagsMs.slice(Math.floor(schedule.warmUpEnds), Math.floor(schedule.usualEnds)),
    usualPart,
  );
  const webhooks = secondsUntil(books.lagsMs.slice(ends), (lagMs) => lagMs <= usualLag);
  const within = `within ${normalWithinSeconds} s`;
  return [
    {
      what: 'answers, in the overload too',
      rule: '200, or 429 and 503 with Retry-After',
      found:
        others.join(', ') ||
        `all; of ${shown(sum('due'))} lives in the overload ${shown(sum('completed'))} were paid, ${shown(sum('refused'))} refused, and ${shown(sum('left'))} customers left`,
      isMet: others.length === 0 && rate.withoutRetryAfter === 0,
    },
    {
      what: 'requests are as usual again',
      rule: within,
      found: after(requests),
      isMet: requests <= normalWithinSeconds,
    },
    {
      what: 'webhooks are as usual again',
      rule: within,
      found: after(webhooks),
      isMet: webhooks <= normalWithinSeconds,
    },
  ];
}

const after = (seconds: number): string =>
  Number.isFinite(seconds)
    ? seconds === 0
      ? 'in the first second'
      : `after ${seconds} s`
    : 'not while it was watched';

/** Whether a second is as most of these were: nothing refused, and as fast as 95 of 100 of them. */
function normalOf(usual: readonly SecondFigure[]): (second: SecondFigure) => boolean {
  const [p50Ms, p99Ms] = (['p50Ms', 'p99Ms'] as const).map((of) =>
    quantile(
      usual.map((each) => each[of]),
      usualPart,
    ),
  );
  return (second) =>
    second.completed === second.due && second.p50Ms <= (p50Ms ?? 0) && second.p99Ms <= (p99Ms ?? 0);
}

/** The number of the first second with which three in a row are normal; Infinity where none is. */
export function secondsUntil<T>(seconds: readonly T[], isNormal: (second: T) => boolean): number {
  const at = seconds.findIndex(
    (_, n) => n + normalInRow <= seconds.length && seconds.slice(n, n + normalInRow).every(isNormal),
  );
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

function booksOf({ books }: Seen): Verdict[] {
  return [
    {
      what: 'what was answered',
      rule: 'is there once: each payment, and one event for each that was paid',
      found:
        books.faults.join('; ') ||
        `${shown(books.created)} payments, ${shown(books.completed)} paid, ${shown(books.events)} events that arrived ${shown(books.arrivals)} times`,
      isMet: books.faults.length === 0,
    },
    { what: 'the books', rule: 'florin audit finds nothing', found: books.audit, isMet: books.isClean },
  ];
}
