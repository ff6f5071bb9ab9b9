import { clsx } from 'clsx';
import { type ReactNode, useRef } from 'react';
import { useOverflow } from './use-overflow.ts';

/**
 * Lets wide content scroll sideways in its own place. While it does, it takes the focus, so that the arrow keys
 * reach what is hidden, and a shadow shows at which side that is. While everything fits it does not scroll, so that a
 * sticky head sticks to the page.
 */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const region = useRef<HTMLDivElement>(null);
  const overflows = useOverflow(region);
  return (
    <section
      ref={region}
      aria-label={label}
      tabIndex={overflows ? 0 : undefined}
      className={clsx(
        'min-w-0 rounded-xl border border-line',
        overflows ? 'scroll-hint overflow-x-auto' : 'overflow-clip bg-surface',
      )}
    >
      {children}
    </section>
  );
}
