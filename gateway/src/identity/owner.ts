import type { ApiKey } from './keys.ts';
import type { IntegrationId, Mode } from './service.ts';

/** Whose payments and webhooks a call is about: an integration, in one mode. */
export type Owner = { integrationId: IntegrationId; mode: Mode };

/** The owner that a request's key acts for. */
export function ownerOf({ integration, mode }: ApiKey): Owner {
  return { integrationId: integration.id, mode };
}
