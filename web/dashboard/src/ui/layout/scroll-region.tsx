import { clsx } from 'clsx';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/**
 * Lets wide content scroll sideways in its own place. While it does, it takes the focus, so that the arrow keys
 * reach what is hidden, and a shadow shows at which side that is. While everything fits it does not scroll, so that a
 * sticky head sticks to the page.
 */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const region = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);

  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const measure = (): void => setOverflows(element.scrollWidth > element.clientWidth + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);

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
