/** What one contestant did in one measurement, or in the mean of several. */
export type Figure = {
  /** null where only a latency was asked for. */
  perSecond: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
  /** Share of one core that the load generator itself took; null where there is none. */
  generatorCpu: number | null;
};

/** How the gateway stands to one yardstick: its rate over the yardstick's. */
export type Ratio = { against: string; ratio: number; aim: number };

/** One setting of a row, such as a number of connections. */
export type Case = {
  name: string;
  /** Means by contestant, `gateway` first. */
  figures: Record<string, Figure>;
  /** Every measurement's rate in the order it was made. */
  runs: Record<string, (number | null)[]>;
  ratios: Ratio[];
  /** What is asked of the gateway's own latency, in milliseconds. */
  limits: { p50Ms?: number; p99Ms?: number };
};

export type RowResult = { row: string; title: string; cases: Case[] };

/** The mean of several measurements of equal length; a latency is the mean of their percentiles. */
export function meanFigure(figures: readonly Figure[]): Figure {
  const mean = (of: (figure: Figure) => number | null): number | null => {
    const values = figures.map(of).filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return {
    perSecond: mean((figure) => figure.perSecond),
    p50Ms: mean((figure) => figure.p50Ms),
    p99Ms: mean((figure) => figure.p99Ms),
    generatorCpu: mean((figure) => figure.generatorCpu),
  };
}

/** `12,000/s, p50 5.10 ms, p99 9.00 ms`, of what is known. */
export function describeFigure({ perSecond, p50Ms, p99Ms }: Figure): string {
  const parts = [
    perSecond === null ? null : `${Math.round(perSecond).toLocaleString('en')}/s`,
    p50Ms === null ? null : `p50 ${p50Ms.toFixed(2)} ms`,
    p99Ms === null ? null : `p99 ${p99Ms.toFixed(2)} ms`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
