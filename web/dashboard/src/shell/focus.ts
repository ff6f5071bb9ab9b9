import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

const headingWaitMs = 5_000;

/**
 * Moves the focus to the heading whenever another page opens, so that the keyboard begins there and screen readers
 * announce the page. A page that is still loading has no heading yet, so its heading is waited for. A change of the
 * search alone moves nothing.
 */
export function useFocusOnHeading(): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const opened = useRef<string>(undefined);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });

  useEffect(() => {
    const isFirst = opened.current === undefined;
    if (pathname === undefined || opened.current === pathname) return;
    opened.current = pathname;
    const element = main.current;
    // The browser announces the first page itself.
    if (isFirst || !element) return;
    if (focusHeading(element)) return;
    const observer = new MutationObserver(() => focusHeading(element) && observer.disconnect());
    observer.observe(element, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), headingWaitMs);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [pathname]);

  return main;
}

function focusHeading(main: HTMLElement): boolean {
  const heading = main.querySelector('h1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}
