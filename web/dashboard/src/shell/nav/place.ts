import { useParams } from '@tanstack/react-router';
import { lastPlace } from '../../api/last-place.ts';
import { findIntegration, type Mode } from '../../api/scope.ts';
import { type IntegrationSummary, type MerchantSummary, useSession } from '../../api/session.ts';

/** The integration and business that the rail links to: the open ones, or those that were open last. */
export type Place = {
  mode: Mode;
  integration: IntegrationSummary | undefined;
  merchant: MerchantSummary | undefined;
  /** False on pages that belong to no integration, such as the team's. */
  isOpen: boolean;
};

export function usePlace(): Place {
  const session = useSession();
  const params = useParams({ strict: false });
  if (params.integration !== undefined) {
    return { ...findIntegration(session, params.integration), mode: params.mode ?? 'test', isOpen: true };
  }
  const last = lastPlace();
  const lists = session.merchants.map((merchant) => ({
    merchant,
    ids: merchant.integrations.map(({ id }) => id),
  }));
  const merchant =
    session.merchants.find(({ id }) => id === params.merchant) ??
    lists.find(({ ids }) => last !== undefined && ids.includes(last.integration))?.merchant ??
    session.merchants.find(({ integrations }) => integrations.length > 0) ??
    session.merchants[0];
  const integration =
    merchant?.integrations.find(({ id }) => id === last?.integration) ?? merchant?.integrations[0];
  const mode = integration !== undefined && integration.id === last?.integration ? last.mode : 'test';
  return { mode, integration, merchant, isOpen: false };
}
