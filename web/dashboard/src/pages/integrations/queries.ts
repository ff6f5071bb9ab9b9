import type { UseQueryResult } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { type Page, useRead } from '../../api/list.ts';
import type { Approval } from '../../api/session.ts';

/** An integration as the list of its business has it. */
export type IntegrationItem = {
  id: string;
  name: string;
  logo_url: string | null;
  domain: string | null;
  domain_verified_at: string | null;
  approval: Approval;
  approval_reason: string | null;
  created_at: string;
};

export type MadeIntegration = { id: string; name: string; secret_key: string };

/** Where the integrations of a business are listed and made. */
export function integrationsPath(merchantId: string): string {
  return `/console/merchants/${merchantId}/integrations`;
}

export function useIntegrations(merchantId: string): UseQueryResult<Page<IntegrationItem>> {
  return useRead<Page<IntegrationItem>>(integrationsPath(merchantId));
}

export function makeIntegration(merchantId: string, name: string): Promise<MadeIntegration> {
  return api<MadeIntegration>(integrationsPath(merchantId), { body: { name } });
}
