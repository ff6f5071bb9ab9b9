import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { resendDelivery } from '../deliveries/delivery-detail.ts';
import { failedDeliveries, findFailed, queueCountLimit, queueState } from '../deliveries/queue.ts';
import { webhookErrors } from '../errors.ts';
import { FailedDeliveryPage, QueueState, ResentDelivery } from './console-answers.ts';

const readPage = queryReader(Type.Object(pageFields));

/** The queue of webhooks of the whole installation, and deliveries that are not tried again by themselves. */
export function webhookOperatorRoutes(
  dashboard: Console,
  { db, hints }: { db: Database; hints: Hints },
): void {
  dashboard.get('operator', '/webhook-queue', { answer: QueueState }, async () => {
    const { pending, failed, due, oldestDueAt } = await queueState(db);
    return {
      message: 'Webhook queue',
      data: {
        pending,
        failed,
        endpoints_due: due,
        oldest_due_at: oldestDueAt?.toISOString() ?? null,
        counted_up_to: queueCountLimit,
      },
    };
  });

  dashboard.get('operator', '/failed-deliveries', { answer: FailedDeliveryPage }, async ({ query }) => {
    const page = await pageById(readPage(query), (rows) => failedDeliveries(db, rows));
    const items = page.items.map(({ last_attempt_at, ...delivery }) => ({
      ...delivery,
      last_attempt_at: last_attempt_at?.toISOString() ?? null,
    }));
    return { message: 'Failed deliveries', data: { items, next_cursor: page.next_cursor } };
  });

  dashboard.write(
    'POST',
    'operator',
    '/failed-deliveries/:delivery/resend',
    { answer: ResentDelivery },
    async (tx, { params }) => {
      const { delivery: id = '' } = params;
      const failed = isUuid(id) ? await findFailed(tx, id) : null;
      if (!failed) throw refuse(kitErrors.not_found);
      const { endpoint, integrationId } = failed;
      const isSent = await resendDelivery(tx, hints, failed, { endpoint, delivery: id });
      if (!isSent) throw refuse(webhookErrors.endpoint_off);
      return {
        message: 'Delivery re-queued',
        data: { id },
        change: {
          action: 're-sent a webhook',
          subject: { kind: 'delivery', id },
          integrationId,
        },
      };
    },
  );
}
