import type { FastifyInstance } from 'fastify';
import { chaosRoutes } from './chaos-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes, endpointSecretRoutes } from './endpoint-routes.ts';
import { eventRoutes } from './event-routes.ts';
import { createKeyCalls, type WebhookRouteDeps } from './key-calls.ts';
import { replayRoutes } from './replay-routes.ts';

/** The merchant's calls on events and webhook endpoints (contract.md#calls). */
export function webhookRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const calls = createKeyCalls(app, deps);
  for (const register of [
    eventRoutes,
    endpointRoutes,
    endpointSecretRoutes,
    deliveryRoutes,
    replayRoutes,
    chaosRoutes,
  ]) {
    register(calls, deps);
  }
}
