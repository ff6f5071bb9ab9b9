import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { LostPage } from '../shell/not-found.tsx';
import { Shell } from '../shell/shell.tsx';

export const root = createRootRoute({ component: Outlet, notFoundComponent: LostPage });

/** Everything that needs a session. It is loaded before any page, so that pages can rely on it. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  loader: async ({ location: { pathname, href } }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session.missing_factor === null) return session;
    throw redirect({ to: '/second-factor', search: pathname === '/' ? {} : { next: href } });
  },
  component: Shell,
});
