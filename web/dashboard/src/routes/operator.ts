import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { readAppealsSearch } from '../pages/appeals/search.ts';
import { readOperatorSearch } from '../pages/operator/search.ts';
import { shell } from './root.tsx';

/** Pages of operators. For others they do not exist. */
export const operator = createRoute({
  getParentRoute: () => shell,
  path: '/operator',
  validateSearch: readOperatorSearch,
  loader: async () => {
    const { account } = await queryClient.ensureQueryData(sessionQuery);
    if (!account.is_operator) throw notFound();
  },
});

export const operatorRoutes = [
  createRoute({
    getParentRoute: () => operator,
    path: '/overview',
    component: lazyRouteComponent(
      () => import('../pages/operator/overview/overview-page.tsx'),
      'OperatorOverviewPage',
    ),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/approvals',
    component: lazyRouteComponent(
      () => import('../pages/operator/approvals/approvals-page.tsx'),
      'ApprovalsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/proposals',
    component: lazyRouteComponent(
      () => import('../pages/operator/proposals/proposals-page.tsx'),
      'ProposalsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/merchants',
    component: lazyRouteComponent(
      () => import('../pages/operator/merchants/merchants-page.tsx'),
      'MerchantsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/merchants/$merchant',
    component: lazyRouteComponent(
      () => import('../pages/operator/merchants/merchant-page.tsx'),
      'MerchantPage',
    ),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/users',
    component: lazyRouteComponent(() => import('../pages/operator/wallets/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/users/$user',
    component: lazyRouteComponent(() => import('../pages/operator/wallets/user-page.tsx'), 'UserPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/money',
    component: lazyRouteComponent(() => import('../pages/operator/money/money-page.tsx'), 'MoneyPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/payouts',
    component: lazyRouteComponent(() => import('../pages/operator/payouts/payouts-page.tsx'), 'PayoutsPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/currencies',
    component: lazyRouteComponent(
      () => import('../pages/operator/currencies/currencies-page.tsx'),
      'CurrenciesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/accounts',
    component: lazyRouteComponent(() => import('../pages/operator/people/accounts-page.tsx'), 'AccountsPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/disputes',
    validateSearch: readAppealsSearch,
    component: lazyRouteComponent(
      () => import('../pages/operator/disputes/disputes-page.tsx'),
      'DisputesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/health',
    component: lazyRouteComponent(() => import('../pages/operator/health/health-page.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/messages',
    component: lazyRouteComponent(() => import('../pages/operator/mail/messages-page.tsx'), 'MessagesPage'),
  }),
  createRoute({
    getParentRoute: () => operator,
    path: '/staff-log',
    component: lazyRouteComponent(
      () => import('../pages/operator/people/staff-log-page.tsx'),
      'StaffLogPage',
    ),
  }),
] as const;
