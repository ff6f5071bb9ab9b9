import { type Case, type CpuPairs, describeFigure, type Figure, meanFigure, type Ratio } from './result.ts';

export type Contestant = { name: string; measure: () => Promise<Figure> };

export type Contest = {
  name: string;
  /** The gateway first, then its yardsticks. */
  contestants: [Contestant, ...Contestant[]];
  /** The smallest ratio to reach, by yardstick. */
  aims: Record<string, number>;
  limits?: Case['limits'];
  /** How many times the CPU of a yardstick's process an operation may take of the gateway's; the database is left out. */
  cpuAim?: Pick<CpuPairs, 'against' | 'most'>;
  warmUp: (contestant: Contestant) => Promise<unknown>;
};

/** The items in order and back again, so that a machine that becomes slower or faster affects all alike. */
export function palindrome<T>(items: readonly T[]): T[] {
  return [...items, ...items.toReversed()];
}

/** Measures all contestants in turns, and compares the first with each of the others. */
export async function runContest(contest: Contest, progress: (line: string) => void): Promise<Case> {
  const { name, contestants, aims, limits = {}, cpuAim, warmUp } = contest;
  for (const contestant of contestants) await warmUp(contestant);
  const measured: Record<string, Figure[]> = {};
  for (const contestant of palindrome(contestants)) {
    const figure = await contestant.measure();
    progress(`${name}, ${contestant.name}: ${describeFigure(figure)}`);
    measured[contestant.name] = [...(measured[contestant.name] ?? []), figure];
  }
  const figures = Object.fromEntries(Object.entries(measured).map(([who, runs]) => [who, meanFigure(runs)]));
  const runs = Object.fromEntries(
    Object.entries(measured).map(([who, all]) => [who, all.map(({ perSecond }) => perSecond)]),
  );
  const ours = contestants[0].name;
  const ratios = cpuAim ? cpuRatios(measured[ours]!, measured[cpuAim.against]!) : [];
  return {
    ...{ name, figures, runs, ratios: ratiosOf(figures, ours, aims), limits },
    ...(cpuAim && { cpuPairs: { ...cpuAim, ratios } }),
  };
}

/** Empty where CPU time is not counted. */
function cpuRatios(own: readonly Figure[], beside: readonly Figure[]): number[] {
  return own.flatMap(({ cpuUs }, turn) => {
    const other = beside[turn]?.cpuUs;
    return cpuUs && other && other.gateway > 0 ? [cpuUs.gateway / other.gateway] : [];
  });
}

function ratiosOf(figures: Record<string, Figure>, ours: string, aims: Record<string, number>): Ratio[] {
  return Object.entries(aims).map(([against, aim]) => ({
    against,
    ratio: (figures[ours]!.perSecond ?? 0) / (figures[against]!.perSecond ?? 0),
    aim,
  }));
}
