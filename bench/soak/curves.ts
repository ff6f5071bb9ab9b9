import type { Seen } from './judge.ts';
import { type Point, thinned } from './trend.ts';

export type Look = 'light' | 'dark';

const colours: Record<
  Look,
  { paper: string; ink: string; quiet: string; grid: string; overload: string; lines: string[] }
> = {
  light: {
    ...{ paper: '#ffffff', ink: '#1f2328', quiet: '#59636e', grid: '#d1d9e0', overload: '#fbe9d0' },
    lines: ['#0b5cad', '#a84300', '#1a7f37'],
  },
  dark: {
    ...{ paper: '#0d1117', ink: '#e6edf3', quiet: '#9aa4b0', grid: '#30363d', overload: '#3a2a12' },
    lines: ['#6cb6ff', '#f0a35e', '#57d37f'],
  },
};
/** Lines of one panel differ without their colours too. */
const dashes = ['', '6 3', '2 3'];

/** One panel: its curves share a scale that begins at 0. `x` is in minutes. */
export type Panel = { title: string; curves: { name: string; points: Point[] }[] };

/** What a soak saw, over its time. */
export function panelsOf({ schedule, rate, samples, books }: Seen): Panel[] {
  const ofSeconds = (of: (at: number) => number): Point[] =>
    rate.seconds.slice(0, Math.floor(schedule.afterEnds)).map((_, at) => ({ x: at / 60, y: of(at) }));
  const ofSamples = (of: (sample: Seen['samples'][number]) => number): Point[] =>
    samples
      .map((sample) => ({ x: (sample.atMs - rate.startedAtMs) / 60_000, y: of(sample) }))
      .filter(({ x }) => x >= 0 && x <= schedule.afterEnds / 60);
  const second = (at: number) => rate.seconds[at] ?? { completed: 0, refused: 0, p50Ms: 0, p99Ms: 0 };
  return [
    {
      title: 'Payments a second',
      curves: [
        { name: 'created and paid', points: ofSeconds((at) => second(at).completed) },
        { name: 'refused', points: ofSeconds((at) => second(at).refused) },
      ],
    },
    {
      title: 'Milliseconds',
      curves: [
        { name: 'until paid, p50', points: ofSeconds((at) => second(at).p50Ms) },
        { name: 'p99', points: ofSeconds((at) => second(at).p99Ms) },
        { name: 'until the webhook, p50', points: ofSeconds((at) => books.lagsMs[at] ?? 0) },
      ],
    },
    {
      title: 'Memory, MB',
      curves: [
        { name: 'gateway', points: ofSamples(({ gatewayMb }) => gatewayMb) },
        { name: 'PostgreSQL, without what is shared', points: ofSamples(({ databaseMb }) => databaseMb) },
      ],
    },
    {
      title: 'Open',
      curves: [
        { name: 'files and sockets', points: ofSamples(({ descriptors }) => descriptors) },
        { name: 'connections to the database', points: ofSamples(({ connections }) => connections) },
      ],
    },
    {
      title: 'Tables and indexes, MB',
      curves: [{ name: '', points: ofSamples(({ tablesMb }) => tablesMb) }],
    },
    { title: 'WAL on the disk, MB', curves: [{ name: '', points: ofSamples(({ walMb }) => walMb) }] },
    { title: 'Dead rows, %', curves: [{ name: '', points: ofSamples(({ deadPart }) => deadPart * 100) }] },
  ];
}

const width = 600;
const panelHeight = 128;
const plot = { left: 56, right: 12, top: 26, bottom: 22 };
const mostPoints = 280;

/** The panels below each other, as an SVG on paper of its own. `overload`: the minutes from and to which it lasts. */
export function drawCurves(
  panels: readonly Panel[],
  look: Look,
  overload: { from: number; to: number },
): string {
  const { paper } = colours[look];
  const height = panels.length * panelHeight;
  const ends = Math.max(
    ...panels.flatMap(({ curves }) => curves.flatMap(({ points }) => points.map(({ x }) => x))),
  );
  const drawn = panels.map((panel, at) => drawPanel(panel, { look, top: at * panelHeight, ends, overload }));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img" aria-label="Curves over the time of the soak">
<rect width="${width}" height="${height}" fill="${paper}"/>
${drawn.join('\n')}
</svg>
`;
}

type Place = { look: Look; top: number; ends: number; overload: { from: number; to: number } };

function drawPanel({ title, curves }: Panel, { look, top, ends, overload }: Place): string {
  const { ink, quiet, grid, overload: shade, lines } = colours[look];
  const most = niceTop(Math.max(1, ...curves.flatMap(({ points }) => points.map(({ y }) => y))));
  const [bottom, ceiling] = [top + panelHeight - plot.bottom, top + plot.top];
  const xOf = (minutes: number): string =>
    (plot.left + (minutes / ends) * (width - plot.left - plot.right)).toFixed(1);
  const yOf = (value: number): string => (bottom - (value / most) * (bottom - ceiling)).toFixed(1);
  const text = (x: string, y: number, anchor: string, words: string): string =>
    `<text x="${x}" y="${y}" fill="${quiet}" text-anchor="${anchor}">${words}</text>`;
  const rules = [0, most / 2, most].map(
    (value) =>
      `<path d="M${plot.left} ${yOf(value)}H${width - plot.right}" stroke="${grid}"/>${text(`${plot.left - 6}`, Number(yOf(value)) + 4, 'end', value.toLocaleString('en'))}`,
  );
  const step = niceTop(ends / 5);
  const minutes = Array.from({ length: Math.floor(ends / step) + 1 }, (_, n) => n * step);
  const ticks = minutes.map((at, n) =>
    text(xOf(at), bottom + 15, 'middle', `${Number(at.toFixed(2))}${n === 0 ? ' min' : ''}`),
  );
  const paths = curves.map(({ points }, at) => {
    const line = thinned(points, mostPoints).map(({ x, y }) => `${xOf(x)} ${yOf(y)}`);
    const dash = dashes[at] ? ` stroke-dasharray="${dashes[at]}"` : '';
    return `<polyline points="${line.join(' ')}" fill="none" stroke="${lines[at]}" stroke-width="1.5"${dash}/>`;
  });
  const names = curves.map(({ name }, at) => `<tspan dx="10" fill="${lines[at]}">${name}</tspan>`);
  return [
    `<rect x="${xOf(overload.from)}" y="${ceiling}" width="${(Number(xOf(overload.to)) - Number(xOf(overload.from))).toFixed(1)}" height="${bottom - ceiling}" fill="${shade}"/>`,
    `<text x="${plot.left}" y="${top + 16}" fill="${ink}" font-weight="600">${title}<tspan font-weight="400">${names.join('')}</tspan></text>`,
    ...rules,
    ...ticks,
    ...paths,
  ].join('\n');
}

/** The next of 1, 2, 4, 5 or 8 with zeros. */
function niceTop(value: number): number {
  const scale = 10 ** Math.floor(Math.log10(value));
  return scale * ([1, 2, 4, 5, 8, 10].find((step) => step * scale >= value) ?? 10);
}
