import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onMissingFactor, onSignedOut } from './api/listeners.ts';
import { queryClient } from './api/query-client.ts';
import { keepSession, type Session } from './api/session.ts';
import { applyTheme } from './format/theme.ts';
import { leadToSecondFactor, leadToSignIn } from './lead-to-sign-in.ts';
import { router } from './router.tsx';
import { language } from './texts/language.ts';
import { loadOfGateway } from './texts/of-gateway.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Shows the dashboard. `session` is who is signed in, where that is known already. */
export async function open(session: Session | undefined): Promise<void> {
  await loadOfGateway();
  document.documentElement.lang = language;
  applyTheme();
  onSignedOut(() => leadToSignIn(router));
  onMissingFactor(() => leadToSecondFactor(router, queryClient));
  if (session) keepSession(queryClient, session);

  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no element for the dashboard');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
