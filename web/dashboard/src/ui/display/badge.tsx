import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export type Tone = 'paid' | 'waiting' | 'lost' | 'quiet' | 'accent' | 'test';

const tones: Record<Tone, string> = {
  paid: 'bg-paid-soft text-paid',
  waiting: 'bg-waiting-soft text-waiting',
  lost: 'bg-lost-soft text-lost',
  quiet: 'bg-sunken text-quiet',
  accent: 'bg-accent-soft text-accent-strong',
  test: 'bg-test text-on-test uppercase tracking-wide',
};

/** The name of a state in its colour, with an icon so that the colour is not the only sign. */
export function Badge({
  tone = 'quiet',
  icon: Icon,
  children,
}: {
  tone?: Tone;
  icon?: LucideIcon;
  children: ReactNode;
}): ReactNode {
  return (
    <span
      className={clsx(
        'inline-flex h-6 items-center gap-1.5 rounded-md px-2 text-sm font-semibold whitespace-nowrap',
        tones[tone],
      )}
    >
      {Icon && <Icon size={14} aria-hidden className="shrink-0" />}
      {children}
    </span>
  );
}
