import { createRoute, notFound, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery } from '../api/session.ts';
import { readAppealsSearch } from '../pages/appeals/search.ts';
import { readOperatorSearch } from '../pages/operator/search.ts';
import { page } from './page.ts';
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
  page(operator, '/overview', {
    name: 'OperatorOverviewPage',
    load: () => import('../pages/operator/overview/overview-page.tsx'),
  }),
  page(operator, '/setup', {
    name: 'SetupStepsPage',
    load: () => import('../pages/operator/setup/setup-page.tsx'),
  }),
  page(operator, '/approvals', {
    name: 'ApprovalsPage',
    load: () => import('../pages/operator/approvals/approvals-page.tsx'),
  }),
  page(operator, '/proposals', {
    name: 'ProposalsPage',
    load: () => import('../pages/operator/proposals/proposals-page.tsx'),
  }),
  page(operator, '/merchants', {
    name: 'MerchantsPage',
    load: () => import('../pages/operator/merchants/merchants-page.tsx'),
  }),
  page(operator, '/merchants/$merchant', {
    name: 'MerchantPage',
    load: () => import('../pages/operator/merchants/merchant-page.tsx'),
  }),
  page(operator, '/users', {
    name: 'UsersPage',
    load: () => import('../pages/operator/wallets/users-page.tsx'),
  }),
  page(operator, '/users/$user', {
    name: 'UserPage',
    load: () => import('../pages/operator/wallets/user-page.tsx'),
  }),
  page(operator, '/money', {
    name: 'MoneyPage',
    load: () => import('../pages/operator/money/money-page.tsx'),
  }),
  page(operator, '/payouts', {
    name: 'PayoutsPage',
    load: () => import('../pages/operator/payouts/payouts-page.tsx'),
  }),
  page(operator, '/currencies', {
    name: 'CurrenciesPage',
    load: () => import('../pages/operator/currencies/currencies-page.tsx'),
  }),
  page(operator, '/accounts', {
    name: 'AccountsPage',
    load: () => import('../pages/operator/people/accounts-page.tsx'),
  }),
  page(operator, '/appeals', {
    name: 'OperatorAppealsPage',
    load: () => import('../pages/operator/appeals/appeals-page.tsx'),
    validateSearch: readAppealsSearch,
  }),
  // Where mails of earlier versions lead.
  createRoute({
    getParentRoute: () => operator,
    path: '/disputes',
    beforeLoad: () => {
      throw redirect({ to: '/operator/appeals' });
    },
  }),
  page(operator, '/health', {
    name: 'HealthPage',
    load: () => import('../pages/operator/health/health-page.tsx'),
  }),
  page(operator, '/backups', {
    name: 'BackupsPage',
    load: () => import('../pages/operator/backups/backups-page.tsx'),
  }),
  page(operator, '/messages', {
    name: 'MessagesPage',
    load: () => import('../pages/operator/mail/messages-page.tsx'),
  }),
  page(operator, '/staff-log', {
    name: 'StaffLogPage',
    load: () => import('../pages/operator/people/staff-log-page.tsx'),
  }),
] as const;
