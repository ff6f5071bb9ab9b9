import { spreadOf } from './pairs.ts';
import { type Case, describeCpu, describeFigure, type Figure, type RowResult } from './result.ts';

/** The results as a Markdown table: a line for each yardstick of each case, and for each limit of a latency. */
export function tableOf(results: readonly RowResult[]): string {
  const head = [
    '| what | case | gateway | against | yardstick | ratio | aim |',
    '|---|---|---|---|---|---:|---:|',
  ];
  const lines = results.flatMap(({ title, cases }) => cases.flatMap((each) => linesOf(title, each)));
  return [...head, ...lines].join('\n');
}

function linesOf(title: string, { name, figures, ratios, limits, amounts = [], cpuPairs }: Case): string[] {
  const { gateway, ...yardsticks } = figures;
  const line = (...cells: string[]): string => `| ${[title, name, ...cells].join(' | ')} |`;
  const ratioLines = ratios.map(({ against, ratio, aim }) =>
    line(
      describeFigure(gateway!),
      against,
      describeFigure(yardsticks[against]!),
      ratio.toFixed(2),
      `>= ${aim}`,
    ),
  );
  const [[first, yardstick] = ['', null]] = Object.entries(yardsticks);
  const limitLines = limitsOf(limits).map(([label, of, limitMs]) =>
    line(ms(label, of(gateway!)), first, yardstick ? ms(label, of(yardstick)) : '', '', `< ${limitMs} ms`),
  );
  const amountLines = amounts.map(({ of, count }) =>
    line(
      `${(count < 100 ? Number(count.toFixed(1)) : Math.round(count)).toLocaleString('en')} ${of}`,
      '',
      '',
      '',
      '',
    ),
  );
  const pairLines = cpuPairs?.ratios.length
    ? [
        line(
          describeFigure(gateway!),
          cpuPairs.against,
          describeFigure(yardsticks[cpuPairs.against]!),
          describePairs(cpuPairs.ratios),
          `<= ${cpuPairs.most}`,
        ),
      ]
    : [];
  return [...ratioLines, ...pairLines, ...limitLines, ...cpuLines(gateway, limits, line), ...amountLines];
}

/** `CPU 1.12 (1.09 to 1.15 in the middle half of 30 pairs)` */
function describePairs(ratios: readonly number[]): string {
  const { median, low, high } = spreadOf(ratios);
  const half = `${low.toFixed(2)} to ${high.toFixed(2)} in the middle half of ${ratios.length} pairs`;
  return `CPU ${median.toFixed(2)} (${half})`;
}

/** The CPU time beside its limit; without a limit it is shown with the rate only. */
function cpuLines(
  gateway: Figure | undefined,
  { cpuUs: limit }: Case['limits'],
  line: (...cells: string[]) => string,
): string[] {
  return limit && gateway?.cpuUs
    ? [line(describeCpu(gateway.cpuUs), '', '', '', `<= ${describeCpu(limit).slice('CPU '.length)}`)]
    : [];
}

type Limit = [label: string, of: (figure: Figure) => number | null, limitMs: number];

function limitsOf({ p50Ms, p99Ms }: Case['limits']): Limit[] {
  const limits: Limit[] = [];
  if (p50Ms !== undefined) limits.push(['p50', (figure) => figure.p50Ms, p50Ms]);
  if (p99Ms !== undefined) limits.push(['p99', (figure) => figure.p99Ms, p99Ms]);
  return limits;
}

function ms(label: string, value: number | null): string {
  return value === null ? '' : `${label} ${value.toFixed(2)} ms`;
}
