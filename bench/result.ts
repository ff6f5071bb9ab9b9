/** CPU time of one operation, in microseconds. */
export type CpuUs = { gateway: number; postgres: number };

/** The figures of one contestant in one measurement, or their means over several. */
export type Figure = {
  /** null where only a latency was asked for. */
  perSecond: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
  /** The share of one core that the load generator used; null where there is none. */
  generatorCpu: number | null;
  /** CPU time of an operation in the gateway and in its database; absent where it was not counted. */
  cpuUs?: CpuUs | undefined;
};

/** The gateway's rate divided by the rate of one yardstick. */
export type Ratio = { against: string; ratio: number; aim: number };

/** One setting of a row, such as a number of connections. */
export type Case = {
  name: string;
  /** Means by contestant, `gateway` first. */
  figures: Record<string, Figure>;
  /** The rates of all measurements, in their order. */
  runs: Record<string, (number | null)[]>;
  ratios: Ratio[];
  /** Limits of the gateway itself: its latency in milliseconds, and its CPU time for an operation. */
  limits: { p50Ms?: number; p99Ms?: number; cpuUs?: CpuUs };
  /** What an operation takes other than time. */
  amounts?: Amount[];
  cpuPairs?: CpuPairs;
};

/** The CPU time of an operation divided by that of another in the same round, for each round, and what the median may be. */
export type CpuPairs = { against: string; ratios: number[]; most: number };

/** How much of something one operation takes, such as bytes of tables. */
export type Amount = { of: string; count: number };

export type RowResult = { row: string; title: string; cases: Case[] };

/** The mean of several measurements of equal length; a latency is the mean of their percentiles. */
export function meanFigure(figures: readonly Figure[]): Figure {
  const mean = (of: (figure: Figure) => number | null): number | null => {
    const values = figures.map(of).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const gateway = mean(({ cpuUs }) => cpuUs?.gateway ?? null);
  const postgres = mean(({ cpuUs }) => cpuUs?.postgres ?? null);
  return {
    ...(gateway === null || postgres === null ? {} : { cpuUs: { gateway, postgres } }),
    perSecond: mean((figure) => figure.perSecond),
    p50Ms: mean((figure) => figure.p50Ms),
    p99Ms: mean((figure) => figure.p99Ms),
    generatorCpu: mean((figure) => figure.generatorCpu),
  };
}

/** `12,000/s, p50 5.10 ms, p99 9.00 ms, CPU 80 + 60 us`, without unknown figures. */
export function describeFigure({ perSecond, p50Ms, p99Ms, cpuUs }: Figure): string {
  const parts = [
    perSecond === null ? null : `${Math.round(perSecond).toLocaleString('en')}/s`,
    p50Ms === null ? null : `p50 ${p50Ms.toFixed(2)} ms`,
    p99Ms === null ? null : `p99 ${p99Ms.toFixed(2)} ms`,
    cpuUs ? describeCpu(cpuUs) : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** `CPU 80 + 60 us`: of the gateway and of its database. */
export function describeCpu({ gateway, postgres }: CpuUs): string {
  return `CPU ${[gateway, postgres].map((us) => Math.round(us).toLocaleString('en')).join(' + ')} us`;
}
