import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readSignInSearch } from '../api/sign-in-address.ts';
import { Doors } from '../shell/doors.tsx';
import { root } from './root.tsx';

/** Pages for people without a session, or before the second factor that their account needs. The sign-in page is no page of the router. */
export const doors = createRoute({
  getParentRoute: () => root,
  id: 'doors',
  validateSearch: readSignInSearch,
  component: Doors,
});

export const doorRoutes = [
  createRoute({
    getParentRoute: () => doors,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('../pages/sign-in/sign-up-page.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => doors,
    path: '/second-factor',
    component: lazyRouteComponent(
      () => import('../pages/second-factor/second-factor-page.tsx'),
      'SecondFactorPage',
    ),
  }),
  createRoute({
    getParentRoute: () => doors,
    path: '/verify-email',
    component: lazyRouteComponent(() => import('../pages/sign-in/verify-email-page.tsx'), 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => doors,
    path: '/reset-password',
    component: lazyRouteComponent(
      () => import('../pages/sign-in/reset-password-page.tsx'),
      'ResetPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => doors,
    path: '/invitation/$token',
    component: lazyRouteComponent(() => import('../pages/sign-in/invitation-page.tsx'), 'InvitationPage'),
  }),
] as const;
