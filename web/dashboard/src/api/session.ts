import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type {
  IntegrationSummary,
  Membership,
  SignedIn as Session,
} from '../../../../gateway/src/identity/console/answers/account.ts';
import type { Approval } from '../../../../gateway/src/identity/console/answers/integrations.ts';
import { nameNetworks } from '../format/amount.ts';
import { api } from './client.ts';

export type { Approval, IntegrationSummary, Session };

/** A business of the person, or one that an operator has opened. */
export type MerchantSummary = Omit<Membership, 'role'> & { role: Membership['role'] | 'operator' };

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await api<Session>('/console/account', { signal });
    nameNetworks(session.networks);
    return session;
  },
  staleTime: 60_000,
});

/** Takes a session that was read before the program had loaded. */
export function keepSession(queries: QueryClient, session: Session): void {
  nameNetworks(session.networks);
  queries.setQueryData(sessionQuery.queryKey, session);
}

/** Who is signed in, and their businesses. The shell has loaded it before any page is shown. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}
