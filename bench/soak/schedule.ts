import { parseArgs } from 'node:util';

export type SoakOptions = {
  /** How long the usual load lasts. */
  minutes: number;
  /** Whether the page is written: after a run that is long enough, and wanted. */
  write: boolean;
};

const usualMinutes = '30';
const leastWrittenMinutes = 10;

/** Reads `npm run soak -- [--minutes N] [--dry]`; throws on anything else. */
export function readSoakOptions(args: string[]): SoakOptions {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: usualMinutes }, dry: { type: 'boolean', default: false } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error('--minutes must be a positive number');
  return { minutes, write: !values.dry && minutes >= leastWrittenMinutes };
}

/** The seconds of each part. Begins and ends are counted from the beginning of the usual load. */
export type Schedule = {
  measureSeconds: number;
  warmUpEnds: number;
  usualEnds: number;
  overloadEnds: number;
  afterEnds: number;
  sampleSeconds: number;
};

/**
 * Half an hour has a minute to measure, five of too much load and two afterwards; a shorter run has the same shares. A third of
 * the usual load is a warm-up: caches fill, and autovacuum comes to every table.
 */
export function scheduleOf(minutes: number): Schedule {
  const usualEnds = minutes * 60;
  const overloadEnds = usualEnds + Math.min(300, Math.max(1, usualEnds / 6));
  return {
    measureSeconds: Math.min(60, usualEnds / 6),
    warmUpEnds: usualEnds / 3,
    usualEnds,
    overloadEnds,
    afterEnds: overloadEnds + Math.min(120, Math.max(1, usualEnds / 3)),
    sampleSeconds: Math.min(3, Math.max(0.25, usualEnds / 300)),
  };
}
