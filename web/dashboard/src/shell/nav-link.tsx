import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { WaitingMark } from '../ui/layout/waiting-mark.tsx';

export const navLinkClass =
  'flex h-9 items-center gap-3 -outline-offset-2 rail:h-8 rounded-lg px-2.5 text-sm text-quiet transition-colors hover:bg-sunken hover:text-ink ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-ink';

export type NavLabelProps = {
  icon: LucideIcon;
  label: string;
  /** What of this page waits for a person. */
  waiting?: number | undefined;
};

/** The inside of a link of the rail. */
export function NavLabel({ icon: Icon, label, waiting }: NavLabelProps): ReactNode {
  return (
    <>
      <Icon size={17} aria-hidden className="shrink-0" />
      <span className="truncate">{label}</span>
      <span className="ml-auto">
        <WaitingMark count={waiting} />
      </span>
    </>
  );
}

/** A list of links of the rail; with a heading except for the page's own links. */
export function NavGroup({ heading, children }: { heading?: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid gap-0.5">
      {heading !== undefined && <p className="truncate px-2.5 pt-3 pb-1 text-sm text-quiet">{heading}</p>}
      <ul className="grid gap-0.5">{children}</ul>
    </div>
  );
}
