import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';

export const navLinkClass =
  'flex h-9 items-center gap-3 -outline-offset-2 rail:h-8 rounded-lg px-2.5 text-sm text-quiet transition-colors hover:bg-sunken hover:text-ink ' +
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-ink';

export type NavLabelProps = {
  icon: LucideIcon;
  label: string;
  /** What of this page waits for a person. */
  waiting?: number | undefined;
  countedUpTo?: number | undefined;
};

/** The inside of a link of the rail. */
export function NavLabel({ icon: Icon, label, waiting = 0, countedUpTo = 100 }: NavLabelProps): ReactNode {
  return (
    <>
      <Icon size={17} aria-hidden className="shrink-0" />
      <span className="truncate">{label}</span>
      {waiting > 0 && (
        <span className="ml-auto shrink-0 rounded-full bg-waiting-soft px-2 text-sm font-semibold text-waiting tabular-nums">
          {waiting < countedUpTo ? waiting : `${countedUpTo}+`}
          <span className="sr-only"> {t('waiting')}</span>
        </span>
      )}
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
