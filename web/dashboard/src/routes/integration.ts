import { createRoute, notFound } from '@tanstack/react-router';
import { keepPlace } from '../api/last-place.ts';
import { readAppealsSearch } from '../pages/appeals/search.ts';
import { readBalancesSearch } from '../pages/balances/search.ts';
import { readDevelopersSearch } from '../pages/developers/search.ts';
import { readOverviewSearch } from '../pages/overview/search.ts';
import { readPaymentLinksSearch } from '../pages/payment-links/search.ts';
import { readPaymentsSearch } from '../pages/payments/search.ts';
import { readSettingsSearch } from '../pages/settings/search.ts';
import { readWebhooksSearch } from '../pages/webhooks/search.ts';
import { page } from './page.ts';
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
  page(integration, '/overview', {
    name: 'OverviewPage',
    load: () => import('../pages/overview/overview-page.tsx'),
    validateSearch: readOverviewSearch,
  }),
  page(integration, '/payments', {
    name: 'PaymentsPage',
    load: () => import('../pages/payments/list/payments-page.tsx'),
    validateSearch: readPaymentsSearch,
  }),
  page(integration, '/payments/$reference', {
    name: 'PaymentPage',
    load: () => import('../pages/payments/payment-page.tsx'),
  }),
  page(integration, '/payment-links', {
    name: 'PaymentLinksPage',
    load: () => import('../pages/payment-links/payment-links-page.tsx'),
    validateSearch: readPaymentLinksSearch,
  }),
  page(integration, '/webhooks', {
    name: 'WebhooksPage',
    load: () => import('../pages/webhooks/webhooks-page.tsx'),
    validateSearch: readWebhooksSearch,
  }),
  page(integration, '/balances', {
    name: 'BalancesPage',
    load: () => import('../pages/balances/balances-page.tsx'),
    validateSearch: readBalancesSearch,
  }),
  page(integration, '/appeals', {
    name: 'AppealsPage',
    load: () => import('../pages/appeals/appeals-page.tsx'),
    validateSearch: readAppealsSearch,
  }),
  page(integration, '/developers', {
    name: 'DevelopersPage',
    load: () => import('../pages/developers/developers-page.tsx'),
    validateSearch: readDevelopersSearch,
  }),
  page(integration, '/settings', {
    name: 'SettingsPage',
    load: () => import('../pages/settings/settings-page.tsx'),
    validateSearch: readSettingsSearch,
  }),
] as const;
