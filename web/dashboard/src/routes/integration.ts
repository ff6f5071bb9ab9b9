import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { keepPlace } from '../api/last-place.ts';
import { readAppealsSearch } from '../pages/appeals/search.ts';
import { readBalancesSearch } from '../pages/balances/search.ts';
import { readDevelopersSearch } from '../pages/developers/search.ts';
import { readOverviewSearch } from '../pages/overview/search.ts';
import { readPaymentLinksSearch } from '../pages/payment-links/search.ts';
import { readPaymentsSearch } from '../pages/payments/search.ts';
import { readSettingsSearch } from '../pages/settings/search.ts';
import { readWebhooksSearch } from '../pages/webhooks/search.ts';
import { shell } from './root.tsx';

/** Pages of one integration in one mode. */
export const integration = createRoute({
  getParentRoute: () => shell,
  path: '/i/$integration/$mode',
  params: {
    parse: ({ integration: id, mode }) => {
      if (mode !== 'test' && mode !== 'live') throw notFound();
      return { integration: id, mode: mode as 'test' | 'live' };
    },
    stringify: (params) => params,
  },
  onEnter: ({ params }) => keepPlace(params),
  onStay: ({ params }) => keepPlace(params),
});

export const integrationRoutes = [
  createRoute({
    getParentRoute: () => integration,
    path: '/overview',
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/payments',
    validateSearch: readPaymentsSearch,
    component: lazyRouteComponent(() => import('../pages/payments/list/payments-page.tsx'), 'PaymentsPage'),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/payments/$reference',
    component: lazyRouteComponent(() => import('../pages/payments/payment-page.tsx'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/payment-links',
    validateSearch: readPaymentLinksSearch,
    component: lazyRouteComponent(
      () => import('../pages/payment-links/payment-links-page.tsx'),
      'PaymentLinksPage',
    ),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/webhooks',
    validateSearch: readWebhooksSearch,
    component: lazyRouteComponent(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/balances',
    validateSearch: readBalancesSearch,
    component: lazyRouteComponent(() => import('../pages/balances/balances-page.tsx'), 'BalancesPage'),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/appeals',
    validateSearch: readAppealsSearch,
    component: lazyRouteComponent(() => import('../pages/appeals/appeals-page.tsx'), 'AppealsPage'),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/developers',
    validateSearch: readDevelopersSearch,
    component: lazyRouteComponent(() => import('../pages/developers/developers-page.tsx'), 'DevelopersPage'),
  }),
  createRoute({
    getParentRoute: () => integration,
    path: '/settings',
    validateSearch: readSettingsSearch,
    component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
  }),
] as const;
