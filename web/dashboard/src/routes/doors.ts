import { createRoute } from '@tanstack/react-router';
import { readSignInSearch } from '../api/sign-in-address.ts';
import { Doors } from '../shell/doors.tsx';
import { page } from './page.ts';
import { root } from './root.tsx';

/** Pages for people without a session, or before the second factor that their account needs. The sign-in page is no page of the router. */
export const doors = createRoute({
  getParentRoute: () => root,
  id: 'doors',
  validateSearch: readSignInSearch,
  component: Doors,
});

/** Posts a key to the shop that asked for it; a page alone, without the shell. */
export const handoverRoute = page(root, '/connect/send', {
  name: 'SendPage',
  load: () => import('../pages/connect/send-page.tsx'),
});

export const doorRoutes = [
  page(doors, '/sign-up', { name: 'SignUpPage', load: () => import('../pages/sign-in/sign-up-page.tsx') }),
  page(doors, '/setup', { name: 'SetupPage', load: () => import('../pages/setup/setup-page.tsx') }),
  page(doors, '/second-factor', {
    name: 'SecondFactorPage',
    load: () => import('../pages/second-factor/second-factor-page.tsx'),
  }),
  page(doors, '/verify-email', {
    name: 'VerifyEmailPage',
    load: () => import('../pages/sign-in/verify-email-page.tsx'),
  }),
  page(doors, '/reset-password', {
    name: 'ResetPasswordPage',
    load: () => import('../pages/sign-in/reset-password-page.tsx'),
  }),
  page(doors, '/invitation/$token', {
    name: 'InvitationPage',
    load: () => import('../pages/sign-in/invitation-page.tsx'),
  }),
] as const;
