import { useParams } from '@tanstack/react-router';
import type { Mode } from '../../../../gateway/src/identity/console/answers/integrations.ts';
import { t } from '../texts/t.ts';
import { type IntegrationSummary, type MerchantSummary, type Session, useSession } from './session.ts';

export type { Mode };

/** The integration and mode whose pages are open. */
export type Scope = {
  integrationId: string;
  mode: Mode;
  integration: IntegrationSummary;
  merchant: MerchantSummary;
  /** `path('/payments')` is `/console/integrations/{id}/{mode}/payments`. */
  path: (rest: string) => string;
  /** `integrationPath('/keys')` is `/console/integrations/{id}/keys`: what both modes share. */
  integrationPath: (rest: string) => string;
};

/** What an operator who is no member may do in a business: read. */
const operatorPermissions = ['read', 'export', 'read the audit log'];

/** The open integration and mode. For pages below `/i/$integration/$mode` only. */
export function useScope(): Scope {
  const { integration: id = '', mode = 'test' } = useParams({ strict: false });
  const { integration, merchant } = findIntegration(useSession(), id);
  return {
    integrationId: id,
    mode,
    integration,
    merchant,
    path: (rest) => `/console/integrations/${id}/${mode}${rest}`,
    integrationPath: (rest) => `/console/integrations/${id}${rest}`,
  };
}

/** The open business. For pages below `/m/$merchant` only. */
export function useMerchant(): MerchantSummary {
  const { merchant: id = '' } = useParams({ strict: false });
  return useSession().merchants.find((merchant) => merchant.id === id) ?? foreignMerchant(id);
}

/** Whether the person may do this in the open business, by the permissions that the session names. */
export function useMay(permission: string): boolean {
  const { integration, merchant } = useParams({ strict: false });
  const session = useSession();
  const open =
    integration === undefined
      ? session.merchants.find(({ id }) => id === merchant)
      : findIntegration(session, integration).merchant;
  const permissions = open?.permissions ?? (session.account.is_operator ? operatorPermissions : []);
  return permissions.includes(permission);
}

/** An integration with its business. An operator may open those of others, whose names the pages load. */
export function findIntegration(
  session: Session,
  id: string,
): { integration: IntegrationSummary; merchant: MerchantSummary } {
  for (const merchant of session.merchants) {
    const integration = merchant.integrations.find((candidate) => candidate.id === id);
    if (integration) return { integration, merchant };
  }
  return {
    integration: { id, name: t('Integration of another business'), approval: 'none', logo_url: null },
    merchant: foreignMerchant(''),
  };
}

function foreignMerchant(id: string): MerchantSummary {
  const permissions = operatorPermissions;
  return { id, name: t('Another business'), role: 'operator', permissions, integrations: [] };
}
