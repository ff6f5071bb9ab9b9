import { clsx } from 'clsx';
import type { ReactNode } from 'react';

/** Florin's coin. */
export function Coin({ size = 28 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0 text-accent">
      <circle cx="16" cy="16" r="15" fill="currentColor" />
      <g fill="none" stroke="var(--on-accent)">
        <circle cx="16" cy="16" r="11.5" strokeWidth="1.5" strokeDasharray="1 1.6" />
        <path d="M13 23V11.6c0-1.7 1.1-2.9 2.9-2.9h3.6M10.9 15.4h7" strokeWidth="2.4" strokeLinecap="round" />
      </g>
    </svg>
  );
}

export type LogoProps = { name: string; url: string | null | undefined; className?: string };

/** An integration's picture, or its first letter where it has none. */
export function Logo({ name, url, className = 'size-8' }: LogoProps): ReactNode {
  if (url) {
    return (
      <img src={url} alt="" className={clsx('shrink-0 rounded-lg bg-sunken object-contain', className)} />
    );
  }
  return (
    <span
      aria-hidden
      className={clsx(
        'grid shrink-0 place-items-center rounded-lg bg-accent-soft font-semibold text-accent-strong',
        className,
      )}
    >
      {(name.trim()[0] ?? '?').toUpperCase()}
    </span>
  );
}
