import { line } from 'd3-shape';
import type { ReactNode } from 'react';
import { Plot, type PlotProps } from './plot.tsx';
import { type ChartTone, toneStroke } from './tones.tsx';

export type LineProps = Omit<PlotProps, 'children'> & {
  tone: ChartTone;
  /** Null where nothing is known: the line has a gap there. */
  values: readonly (number | null)[];
};

/** One value by day or hour. */
export function Line({ tone, values, ...plot }: LineProps): ReactNode {
  const isKnown = (index: number): boolean => typeof values[index] === 'number';
  return (
    <Plot {...plot}>
      {({ x, y }) => {
        const middle = (index: number): number => (x(index) ?? 0) + x.bandwidth() / 2;
        const height = (index: number): number => y(values[index] ?? 0);
        const places = values.map((_, index) => index);
        const path = line<number>().defined(isKnown).x(middle).y(height)(places);
        // A value between two gaps has no line: a dot shows it, and the selected one too.
        const dots = places.filter(
          (index) => isKnown(index) && (index === plot.active || !(isKnown(index - 1) || isKnown(index + 1))),
        );
        return (
          <g className={toneStroke[tone]} strokeWidth={2} strokeLinejoin="round">
            <path d={path ?? ''} fill="none" />
            {dots.map((index) => (
              <circle
                key={plot.points[index]!.key}
                cx={middle(index)}
                cy={height(index)}
                r={3.5}
                className="fill-surface"
              />
            ))}
          </g>
        );
      }}
    </Plot>
  );
}
