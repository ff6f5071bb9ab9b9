import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { leaveToSignIn } from './api/leave.ts';
import { isDoor } from './api/sign-in-address.ts';

/** Opens the sign-in page, which leads back here afterwards. A refused call leads nobody away from a door. */
export function leadToSignIn(router: AnyRouter): void {
  const { pathname } = router.latestLocation;
  if (isDoor(pathname) && !isSecondFactor(pathname)) return;
  leaveToSignIn(searchOf(router));
}

/** Clears what was loaded and opens the page of the second factor, which leads back here too. */
export function leadToSecondFactor(router: AnyRouter, queries: QueryClient): void {
  if (isDoor(router.latestLocation.pathname)) return;
  void router.navigate({ to: '/second-factor', search: searchOf(router) });
  queries.clear();
}

const isSecondFactor = (pathname: string): boolean => pathname.startsWith('/second-factor');

function searchOf({ latestLocation: { pathname, href, search } }: AnyRouter): { next?: string } {
  const { next = href } = isSecondFactor(pathname) ? (search as { next?: string }) : {};
  return pathname === '/' ? {} : { next };
}
