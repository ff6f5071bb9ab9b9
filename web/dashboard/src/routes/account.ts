import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAccountSearch } from '../pages/account/search.ts';
import { shell } from './root.tsx';

/** Pages of a person's account, which belong to no business. */
export const accountRoutes = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account',
    validateSearch: readAccountSearch,
    component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/new-business',
    component: lazyRouteComponent(
      () => import('../pages/integrations/new-merchant-page.tsx'),
      'NewMerchantPage',
    ),
  }),
] as const;
