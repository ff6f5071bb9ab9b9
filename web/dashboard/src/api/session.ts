import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { nameNetworks } from '../format/amount.ts';
import { api } from './client.ts';

export type Account = {
  id: string;
  email: string;
  name: string;
  email_verified: boolean;
  is_operator: boolean;
  has_two_factor: boolean;
  has_passkey: boolean;
};

export type Approval = 'none' | 'requested' | 'approved' | 'rejected' | 'suspended';

export type IntegrationSummary = { id: string; name: string; approval: Approval; logo_url?: string | null };

export type MerchantSummary = {
  id: string;
  name: string;
  role: string;
  /** What this role may do, in the words of a refusal: `cancel payments`. */
  permissions: string[];
  integrations: IntegrationSummary[];
};

/** What operators tell everybody at this moment. */
export type Announcement = { text: string; tone: 'quiet' | 'waiting' | 'lost' };

export type Session = {
  account: Account;
  merchants: MerchantSummary[];
  announcement: Announcement | null;
  /** The name of each asset's network, by the asset's code. */
  networks: Record<string, string>;
};

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await api<Session>('/console/account', { signal });
    nameNetworks(session.networks);
    return session;
  },
  staleTime: 60_000,
});

/** Who is signed in, and what they reach. The shell has loaded it before any page shows. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}
