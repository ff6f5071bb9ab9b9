import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale';
import { type PointerEvent, type ReactNode, useId } from 'react';
import { t } from '../../texts/t.ts';
import { useWidth } from './use-width.ts';

/** A place on the horizontal axis: a day or an hour. */
type PlotPoint = { key: string; label: string };

/** The measures of a chart, in pixels of the SVG. */
type Drawing = {
  x: ScaleBand<number>;
  y: ScaleLinear<number, number>;
  /** The y position of the horizontal axis. */
  bottom: number;
  /** Unique on the page, for the ids of patterns. */
  prefix: string;
};

export type PlotProps = {
  points: readonly PlotPoint[];
  /** The largest value; the axis ends at a round number above it. */
  max: number;
  tickText: (value: number) => string;
  /** For counts, whose axis has whole numbers only. */
  whole?: boolean;
  /** The chart in one sentence, for screen readers. */
  sentence: string;
  /** The point that is read out below the chart. */
  active: number;
  onActive: (index: number) => void;
  /** What is read out of the active point. */
  readout: string;
  height?: number;
  children: (drawing: Drawing) => ReactNode;
};

const margin = { top: 8, right: 4, bottom: 22, left: 44 };
const labelWidth = 76;
/** A few points stand side by side at the left, and do not fill the chart. */
const widestStep = 80;

/**
 * The frame of a chart: axes, a grid, and the selected point, which follows the pointer and, by a slider over the
 * chart, the arrow keys.
 */
export function Plot(props: PlotProps): ReactNode {
  const { points, max, tickText, sentence, active, onActive, readout, height = 180, children } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  const prefix = useId();
  const bottom = height - margin.bottom;
  const room = (width ?? 0) - margin.left - margin.right;
  const x = scaleBand<number>()
    .domain(points.map((_, index) => index))
    .range([margin.left, margin.left + Math.max(0, Math.min(room, points.length * widestStep))])
    // Half a gap at either end, so that every point has as wide a slot as the next.
    .paddingInner(0.25)
    .paddingOuter(0.125);
  const y = scaleLinear()
    .domain([0, max > 0 ? max : 1])
    .range([bottom, margin.top])
    .nice(4);

  function follow(event: PointerEvent<HTMLDivElement>): void {
    const from = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left;
    const index = Math.floor(from / x.step());
    onActive(Math.min(points.length - 1, Math.max(0, index)));
  }

  return (
    <div
      ref={ref}
      className="relative min-w-0 touch-pan-y rounded-lg outline-offset-4 has-focus-visible:outline-2 has-focus-visible:outline-accent"
      style={{ height }}
      onPointerMove={follow}
      onPointerDown={follow}
    >
      {width !== null && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={sentence}
          className="block overflow-visible"
        >
          <rect
            x={(x(active) ?? 0) - (x.step() - x.bandwidth()) / 2}
            y={margin.top}
            width={x.step()}
            height={bottom - margin.top}
            className="fill-sunken"
          />
          <Grid ticks={ticksOf(y, props)} {...{ y, width, tickText }} />
          {children({ x, y, bottom, prefix })}
          <line x1={margin.left} x2={width} y1={bottom} y2={bottom} className="stroke-line-strong" />
          <Labels points={points} x={x} top={bottom + 16} />
        </svg>
      )}
      <input
        type="range"
        min={0}
        max={points.length - 1}
        value={active}
        onChange={(event) => onActive(event.target.valueAsNumber)}
        aria-label={t('Read out')}
        aria-valuetext={readout}
        className="pointer-events-none absolute inset-0 m-0 size-full opacity-0"
      />
    </div>
  );
}

function ticksOf(y: Drawing['y'], { max, whole = false }: Pick<PlotProps, 'max' | 'whole'>): number[] {
  if (max === 0) return [0];
  const ticks = y.ticks(4);
  return whole ? ticks.filter(Number.isInteger) : ticks;
}

type GridProps = { ticks: number[]; y: Drawing['y']; width: number; tickText: PlotProps['tickText'] };

function Grid({ ticks, y, width, tickText }: GridProps): ReactNode {
  return ticks.map((tick) => (
    <g key={tick} transform={`translate(0 ${y(tick)})`}>
      <line x1={margin.left} x2={width} className="stroke-line" />
      <text x={margin.left - 8} dy="0.32em" textAnchor="end" className="fill-quiet text-sm tabular-nums">
        {tickText(tick)}
      </text>
    </g>
  ));
}

/** As many labels as have room, counted from the last point, which is now. */
function Labels({
  points,
  x,
  top,
}: {
  points: PlotProps['points'];
  x: Drawing['x'];
  top: number;
}): ReactNode {
  const every = Math.max(1, Math.ceil(labelWidth / x.step()));
  const last = points.length - 1;
  // The last label must not exceed the chart; within its own slot it does not.
  const atEnd = x.step() < labelWidth ? last : -1;
  return points.map(({ key, label }, index) =>
    (last - index) % every !== 0 || (x(index) ?? 0) < margin.left ? null : (
      <text
        key={key}
        x={index === atEnd ? (x(index) ?? 0) + x.bandwidth() : (x(index) ?? 0) + x.bandwidth() / 2}
        y={top}
        textAnchor={index === atEnd ? 'end' : 'middle'}
        className="fill-quiet text-sm tabular-nums"
      >
        {label}
      </text>
    ),
  );
}
