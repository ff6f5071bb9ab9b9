import type { ReactNode } from 'react';

/** An integration's logo, or the first letter of its name. */
export function IntegrationMark({ name, logoUrl }: { name: string; logoUrl: string | null }): ReactNode {
  if (logoUrl !== null) {
    return (
      <img
        src={logoUrl}
        alt=""
        className="size-10 shrink-0 rounded-lg border border-line bg-surface object-contain"
      />
    );
  }
  return (
    <span
      aria-hidden
      className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-sunken font-semibold"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
