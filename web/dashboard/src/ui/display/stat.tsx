import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export type StatProps = {
  label: ReactNode;
  /** The figure; in a link with the class `row-link` where it counts rows. */
  value: ReactNode;
  hint?: ReactNode;
  tone?: 'ink' | 'paid' | 'waiting' | 'lost';
};

const tones = { ink: 'text-ink', paid: 'text-paid', waiting: 'text-waiting', lost: 'text-lost' };

/** One figure, large. */
export function Stat({ label, value, hint, tone = 'ink' }: StatProps): ReactNode {
  return (
    <div className="relative grid min-w-0 content-start gap-1 rounded-xl border border-line bg-surface p-4 has-[a]:hover:border-line-strong">
      <p className="text-sm text-quiet">{label}</p>
      <p className={clsx('text-lg font-semibold tabular-nums wrap-anywhere', tones[tone])}>{value}</p>
      {hint !== undefined && <p className="text-sm text-quiet">{hint}</p>}
    </div>
  );
}
