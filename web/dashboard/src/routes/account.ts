import { readAccountSearch } from '../pages/account/search.ts';
import { readConnectSearch } from '../pages/connect/search.ts';
import { page } from './page.ts';
import { shell } from './root.tsx';

/** Pages of a person's account, which belong to no business. */
export const accountRoutes = [
  page(shell, '/', { name: 'HomePage', load: () => import('../pages/home/home-page.tsx') }),
  page(shell, '/account', {
    name: 'AccountPage',
    load: () => import('../pages/account/account-page.tsx'),
    validateSearch: readAccountSearch,
  }),
  page(shell, '/connect', {
    name: 'ConnectPage',
    load: () => import('../pages/connect/connect-page.tsx'),
    validateSearch: readConnectSearch,
  }),
  page(shell, '/new-business', {
    name: 'NewMerchantPage',
    load: () => import('../pages/integrations/new-merchant-page.tsx'),
  }),
] as const;
