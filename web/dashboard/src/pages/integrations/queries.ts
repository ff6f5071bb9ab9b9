import type { UseQueryResult } from '@tanstack/react-query';
import type {
  Settings as IntegrationItem,
  MadeIntegration,
} from '../../../../../gateway/src/identity/console/answers/integrations.ts';
import { api } from '../../api/client.ts';
import { type Page, useRead } from '../../api/list.ts';

export type { IntegrationItem };

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
