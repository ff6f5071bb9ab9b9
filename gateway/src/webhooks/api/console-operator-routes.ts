import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { queryReader } from '../../kit/http/fields.ts';
import { pageById, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { FailedDeliveryPage, QueueState, ResentDelivery } from '../answers/console-answers.ts';
import { resendDelivery } from '../deliveries/delivery-detail.ts';
import { failedDeliveries, findFailed, queueState } from '../deliveries/queue.ts';
import { webhookErrors } from '../errors.ts';

const readPage = queryReader(Type.Object(pageFields));

/** The queue of webhooks of the whole installation, and its failed deliveries. */
export function webhookOperatorRoutes(
  dashboard: Console,
  { db, hints }: { db: Database; hints: Hints },
): void {
  dashboard.get('operator', '/webhook-queue', { answer: QueueState }, async () => ({
    message: 'Webhook queue',
    data: await queueState(db),
  }));

  dashboard.get('operator', '/failed-deliveries', { answer: FailedDeliveryPage }, async ({ query }) => ({
    message: 'Failed deliveries',
    data: await pageById(readPage(query), (rows) => failedDeliveries(db, rows)),
  }));

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
