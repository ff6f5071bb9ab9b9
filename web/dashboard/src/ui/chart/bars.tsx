import { stack } from 'd3-shape';
import type { ReactNode } from 'react';
import { Plot, type PlotProps } from './plot.tsx';
import { type ChartTone, solidFill, TonePatterns, toneFill, toneStroke } from './tones.tsx';

/** One part of each bar: its value at every point. */
type BarSeries = { key: string; tone: ChartTone; values: readonly number[] };

export type BarsProps = Omit<PlotProps, 'max' | 'children'> & {
  series: readonly BarSeries[];
  /** The last bar is of a time that is not over, and is drawn lighter. */
  lastIsOpen?: boolean;
};

/** Narrower bars are filled without a pattern: cut to pieces it would flicker from bar to bar. */
const patternPx = 8;

/** Bars by day or hour, their parts one on another in the order of the series. */
export function Bars({ series, lastIsOpen = false, ...plot }: BarsProps): ReactNode {
  const places = plot.points.map((_, index) => index);
  const layers = stack<number, string>()
    .keys(series.map(({ key }) => key))
    .value((index, key) => series.find((each) => each.key === key)?.values[index] ?? 0)(places);
  const max = Math.max(0, ...(layers.at(-1) ?? []).map(([, top]) => top));
  return (
    <Plot {...plot} max={max}>
      {({ x, y, prefix }) => {
        const width = Math.max(1, Math.floor(x.bandwidth()) - 1);
        return (
          <>
            <TonePatterns prefix={prefix} tones={[...new Set(series.map(({ tone }) => tone))]} />
            {layers.map((layer, at) => {
              const { key, tone } = series[at]!;
              return (
                <g
                  key={key}
                  {...(width < patternPx
                    ? { className: solidFill[tone] }
                    : { fill: toneFill(prefix, tone), className: toneStroke[tone] })}
                >
                  {layer.map(([from, to], index) =>
                    to > from ? (
                      <rect
                        key={plot.points[index]!.key}
                        // At whole pixels, so that all bars have sharp edges and the same width.
                        x={Math.round(x(index) ?? 0) + 0.5}
                        y={y(to)}
                        width={width}
                        opacity={lastIsOpen && index === plot.points.length - 1 ? 0.5 : undefined}
                        height={Math.max(1, y(from) - y(to))}
                      />
                    ) : null,
                  )}
                </g>
              );
            })}
          </>
        );
      }}
    </Plot>
  );
}
