import { createRoute } from '@tanstack/react-router';
import { readAuditSearch } from '../pages/audit/search.ts';
import { readIntegrationsSearch } from '../pages/integrations/search.ts';
import { readTeamSearch } from '../pages/team/search.ts';
import { page } from './page.ts';
import { shell } from './root.tsx';

/** Pages of one business. */
export const merchant = createRoute({ getParentRoute: () => shell, path: '/m/$merchant' });

export const merchantRoutes = [
  page(merchant, '/integrations', {
    name: 'IntegrationsPage',
    load: () => import('../pages/integrations/integrations-page.tsx'),
    validateSearch: readIntegrationsSearch,
  }),
  page(merchant, '/team', {
    name: 'TeamPage',
    load: () => import('../pages/team/team-page.tsx'),
    validateSearch: readTeamSearch,
  }),
  page(merchant, '/audit', {
    name: 'AuditPage',
    load: () => import('../pages/audit/audit-page.tsx'),
    validateSearch: readAuditSearch,
  }),
] as const;
