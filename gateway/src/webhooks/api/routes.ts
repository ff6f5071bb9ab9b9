import type { FastifyInstance } from 'fastify';
import { chaosRoutes } from './chaos-routes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { eventRoutes } from './event-routes.ts';
import type { WebhookRouteDeps } from './own-write.ts';
import { replayRoutes } from './replay-routes.ts';
import { secretRoutes } from './secret-routes.ts';

/** The merchant's calls on events and webhook endpoints (contract.md 7). */
export function webhookRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  eventRoutes(app, deps);
  endpointRoutes(app, deps);
  secretRoutes(app, deps);
  deliveryRoutes(app, deps);
  replayRoutes(app, deps);
  chaosRoutes(app, deps);
}
