import type { IntegrationId, Mode } from './integration.ts';

/** Whose payments and webhooks a call is about: an integration, in one mode. */
export type Owner = { integrationId: IntegrationId; mode: Mode };

/** A name for what an owner calls so: two owners may have the same reference. */
export function nameOfOwned({ integrationId, mode }: Owner, reference: string): string {
  return `${integrationId} ${mode} ${reference}`;
}

/** The owner that a request's key acts for. */
export function ownerOf({ integration, mode }: { integration: { id: IntegrationId }; mode: Mode }): Owner {
  return { integrationId: integration.id, mode };
}
