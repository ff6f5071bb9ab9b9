import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lastPlace } from '../../api/last-place.ts';
import { useSession } from '../../api/session.ts';

/** The root address leads to the integration that was open last, else to the first one. */
export function HomePage(): ReactNode {
  const { merchants, account } = useSession();
  const integrations = merchants.flatMap((merchant) => merchant.integrations);
  const last = lastPlace();
  const open = integrations.find(({ id }) => id === last?.integration) ?? integrations[0];
  if (open) {
    const mode = open.id === last?.integration ? last.mode : 'test';
    return <Navigate replace to="/i/$integration/$mode/overview" params={{ integration: open.id, mode }} />;
  }
  const merchant = merchants[0];
  if (merchant) return <Navigate replace to="/m/$merchant/integrations" params={{ merchant: merchant.id }} />;
  if (account.is_operator) return <Navigate replace to="/operator/overview" />;
  return <Navigate replace to="/new-business" />;
}
