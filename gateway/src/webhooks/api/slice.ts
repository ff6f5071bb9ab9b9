import type { Logger } from 'pino';
import type { Console } from '../../identity/console/console.ts';
import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Slice } from '../../kit/slice.ts';
import { createAttemptTimer, createDeliveryMetrics } from '../deliveries/metrics.ts';
import { webhookErrors } from '../errors.ts';
import { createEventMetrics } from '../events/metrics.ts';
import { createPurge } from '../events/purge.ts';
import { runReplays } from '../replay/replay-worker.ts';
import type { SendNotice } from '../worker/notice-attempt.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../worker/worker.ts';
import { webhookOperatorRoutes } from './console-operator-routes.ts';
import { webhookConsoleRoutes } from './console-routes.ts';
import type { WebhookRouteDeps } from './key-calls.ts';
import { webhookRoutes } from './routes.ts';

export type WebhookDeps = WebhookRouteDeps & {
  sender: HttpSender;
  log: Logger;
  baseUrl: string;
  /** Tells a person what happened. */
  sendNotice: SendNotice;
  /** For how many days an event can be sent again. */
  keptDays: number;
};

const secondMs = 1_000;

/** Endpoints, events and their deliveries. */
export function createWebhooks(deps: WebhookDeps): Slice<Console> & { deliveries: DeliveryWorker } {
  const { db, hints, now, keptDays } = deps;
  const attempts = createAttemptTimer();
  const deliveries = createDeliveryWorker({
    ...deps,
    dashboardUrl: `${deps.baseUrl}/app/`,
    onSent: attempts.observe,
  });
  return {
    deliveries,
    errors: webhookErrors,
    routes: {
      api: (api) => webhookRoutes(api, deps),
      dashboard(dashboard) {
        webhookConsoleRoutes(dashboard, deps);
        webhookOperatorRoutes(dashboard, deps);
      },
    },
    loops: [
      { name: 'replays', everyMs: secondMs, work: () => runReplays({ db, hints }) },
      { name: 'old events', everyMs: secondMs, work: createPurge({ db, now, keptDays }) },
    ],
    metrics(registry) {
      createEventMetrics(registry);
      createDeliveryMetrics(registry, db);
      attempts.register(registry);
    },
    startWork: deliveries.start,
    close: deliveries.stop,
  };
}
