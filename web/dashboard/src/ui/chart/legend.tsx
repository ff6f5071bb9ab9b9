import { type ReactNode, useId } from 'react';
import { type ChartTone, TonePatterns, toneFill, toneStroke } from './tones.tsx';

export type LegendEntry = { key: string; label: ReactNode; tone: ChartTone };

/** The meaning of a chart's marks; a label may link to the rows that it counts. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }): ReactNode {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {entries.map(({ key, label, tone }) => (
        <li key={key} className="flex min-h-6 items-center gap-2">
          <Swatch tone={tone} />
          {label}
        </li>
      ))}
    </ul>
  );
}

function Swatch({ tone }: { tone: ChartTone }): ReactNode {
  const id = useId();
  return (
    <svg width={12} height={12} aria-hidden className="shrink-0">
      <TonePatterns prefix={id} tones={[tone]} />
      <rect
        x={0.5}
        y={0.5}
        width={11}
        height={11}
        rx={2}
        fill={toneFill(id, tone)}
        className={toneStroke[tone]}
      />
    </svg>
  );
}
