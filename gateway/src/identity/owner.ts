import type { IntegrationId, Mode } from './integration.ts';

/** Whose payments and webhooks a call is about: an integration, in one mode. */
export type Owner = { integrationId: IntegrationId; mode: Mode };

/** The owner that a request's key acts for. */
export function ownerOf({ integration, mode }: { integration: { id: IntegrationId }; mode: Mode }): Owner {
  return { integrationId: integration.id, mode };
}
