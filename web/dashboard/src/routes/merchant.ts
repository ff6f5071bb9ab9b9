import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditSearch } from '../pages/audit/search.ts';
import { readIntegrationsSearch } from '../pages/integrations/search.ts';
import { readTeamSearch } from '../pages/team/search.ts';
import { shell } from './root.tsx';

/** Pages of one business. */
export const merchant = createRoute({ getParentRoute: () => shell, path: '/m/$merchant' });

export const merchantRoutes = [
  createRoute({
    getParentRoute: () => merchant,
    path: '/integrations',
    validateSearch: readIntegrationsSearch,
    component: lazyRouteComponent(
      () => import('../pages/integrations/integrations-page.tsx'),
      'IntegrationsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => merchant,
    path: '/team',
    validateSearch: readTeamSearch,
    component: lazyRouteComponent(() => import('../pages/team/team-page.tsx'), 'TeamPage'),
  }),
  createRoute({
    getParentRoute: () => merchant,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
] as const;
