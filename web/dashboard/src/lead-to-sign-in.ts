import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** Pages for people without a session. A refused call does not lead away from them. */
const doors = ['/sign-in', '/sign-up', '/verify-email', '/reset-password', '/invitation'];

/** Clears what was loaded and opens the sign-in page, which leads back here afterwards. */
export function leadToSignIn(router: AnyRouter, queries: QueryClient): void {
  lead(router, queries, '/sign-in');
}

/** The same for the page of the second factor. */
export function leadToSecondFactor(router: AnyRouter, queries: QueryClient): void {
  if (!router.latestLocation.pathname.startsWith('/second-factor')) lead(router, queries, '/second-factor');
}

function lead(router: AnyRouter, queries: QueryClient, to: string): void {
  const { pathname, href, search } = router.latestLocation;
  if (doors.some((door) => pathname.startsWith(door))) return;
  const { next = href } = pathname === '/second-factor' ? (search as { next?: string }) : {};
  void router.navigate({ to, search: pathname === '/' ? {} : { next } });
  queries.clear();
}
