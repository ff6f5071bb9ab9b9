import type { ReactNode } from 'react';

/** The meaning of a chart's mark. Each has its own pattern beside its colour. */
export type ChartTone = 'accent' | 'paid' | 'waiting' | 'appeal' | 'lost' | 'quiet';

/** The colour alone. */
export const solidFill: Record<ChartTone, string> = {
  accent: 'fill-accent',
  paid: 'fill-paid',
  waiting: 'fill-waiting',
  appeal: 'fill-accent',
  lost: 'fill-lost',
  quiet: 'fill-line-strong',
};

const side = 6;

/** Solid, stripes either way, dots, bars, lines: distinct without their colours. */
const marks: Record<ChartTone, ReactNode> = {
  accent: <rect width={side} height={side} />,
  paid: <rect width={side} height={side} />,
  waiting: <path d="M-1 5 5 -1h2L-1 7zM3 7 7 3v2L5 7z" />,
  appeal: <circle cx={3} cy={3} r={1.8} />,
  lost: <path d="M0 0h3v6H0z" />,
  quiet: <path d="M0 0h6v1.5H0z" />,
};

/** The patterns that `toneFill` names; once in each SVG, under a prefix of its own. */
export function TonePatterns({ prefix, tones }: { prefix: string; tones: readonly ChartTone[] }): ReactNode {
  return (
    <defs>
      {tones.map((tone) => (
        <pattern
          key={tone}
          id={`${prefix}-${tone}`}
          width={side}
          height={side}
          patternUnits="userSpaceOnUse"
          className={solidFill[tone]}
        >
          <rect width={side} height={side} className="fill-surface" />
          {marks[tone]}
        </pattern>
      ))}
    </defs>
  );
}

/** The fill of a mark, for an SVG that has the patterns. */
export function toneFill(prefix: string, tone: ChartTone): string {
  return `url(#${prefix}-${tone})`;
}

export const toneStroke: Record<ChartTone, string> = {
  accent: 'stroke-accent',
  paid: 'stroke-paid',
  waiting: 'stroke-waiting',
  appeal: 'stroke-accent',
  lost: 'stroke-lost',
  quiet: 'stroke-line-strong',
};
