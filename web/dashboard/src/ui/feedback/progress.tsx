import { Progress as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export type ProgressProps = {
  label: string;
  /** From 0 to `max`; null while it is unknown. */
  value: number | null;
  max?: number;
  /** The text beside the label, such as `12,000 of 40,000`. */
  text?: string;
};

/** The progress of something that runs. */
export function Progress({ label, value, max = 100, text }: ProgressProps): ReactNode {
  const share = value === null ? 1 : Math.min(1, value / max);
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex justify-between gap-4">
        <span>{label}</span>
        {text !== undefined && <span className="text-quiet tabular-nums">{text}</span>}
      </p>
      <Radix.Root
        value={value}
        max={max}
        aria-label={label}
        {...(text === undefined ? {} : { getValueLabel: () => text })}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <Radix.Indicator
          className={`h-full origin-left bg-accent transition-transform ${value === null ? 'animate-pulse' : ''}`}
          style={{ transform: `scaleX(${share})` }}
        />
      </Radix.Root>
    </div>
  );
}
