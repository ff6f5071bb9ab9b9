import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** Pages for people without a session. They are not led away from, whatever a call answers. */
const doors = ['/sign-in', '/sign-up', '/verify-email', '/reset-password', '/invitation'];

/** Forgets what the last person saw and opens the sign-in page, which leads back here afterwards. */
export function leadToSignIn(router: AnyRouter, queries: QueryClient): void {
  const { pathname, href } = router.latestLocation;
  if (doors.some((door) => pathname.startsWith(door))) return;
  void router.navigate({ to: '/sign-in', search: pathname === '/' ? {} : { next: href } });
  queries.clear();
}
