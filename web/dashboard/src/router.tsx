import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './api/search.ts';
import { accountRoutes } from './routes/account.ts';
import { doorRoutes, doors, handoverRoute } from './routes/doors.ts';
import { integration, integrationRoutes } from './routes/integration.ts';
import { merchant, merchantRoutes } from './routes/merchant.ts';
import { operator, operatorRoutes } from './routes/operator.ts';
import { root, shell } from './routes/root.tsx';
import { Broken } from './shell/broken.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';

const routeTree = root.addChildren([
  doors.addChildren(doorRoutes),
  handoverRoute,
  shell.addChildren([
    ...accountRoutes,
    merchant.addChildren(merchantRoutes),
    integration.addChildren(integrationRoutes),
    operator.addChildren(operatorRoutes),
  ]),
]);

const skeletonAfterMs = 150;

/** Every address of the dashboard. Pages load when they are opened, or when their link is hovered. */
export const router = createRouter({
  routeTree,
  basepath: '/app',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: skeletonAfterMs,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});
