import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { LostPage } from '../shell/not-found.tsx';

export const root = createRootRoute({ component: Outlet, notFoundComponent: LostPage });

/** Everything that needs a session. It is loaded before any page, so that pages can rely on it. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  loader: () => queryClient.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
});
