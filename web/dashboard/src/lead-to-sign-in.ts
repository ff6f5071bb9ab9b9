import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** Pages for people without a session. A refused call does not lead away from them. */
const doors = ['/sign-in', '/sign-up', '/verify-email', '/reset-password', '/invitation'];

/** Clears what was loaded and opens the sign-in page, which leads back here afterwards. */
export function leadToSignIn(router: AnyRouter, queries: QueryClient): void {
  const { pathname, href } = router.latestLocation;
  if (doors.some((door) => pathname.startsWith(door))) return;
  void router.navigate({ to: '/sign-in', search: pathname === '/' ? {} : { next: href } });
  queries.clear();
}
