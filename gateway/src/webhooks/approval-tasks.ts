import type { ApprovalTask } from '../identity/approval.ts';
import type { IntegrationId } from '../identity/service.ts';
import type { Reader } from '../kit/db.ts';

/** Whether an integration has a webhook endpoint that took something, before it may ask for live mode. */
export async function webhookApprovalTasks(reader: Reader, id: IntegrationId): Promise<ApprovalTask[]> {
  const { rows } = await reader.query<{ done: boolean }>(
    `SELECT EXISTS (
       SELECT FROM webhook_endpoints e
       CROSS JOIN LATERAL (
         SELECT status FROM deliveries d WHERE d.endpoint_id = e.id ORDER BY d.id DESC LIMIT 1000
       ) AS newest
       WHERE e.integration_id = $1 AND e.mode IN ('test', 'live') AND e.deleted_at IS NULL
         AND newest.status = 'delivered') AS done`,
    [id],
  );
  return [
    {
      slug: 'webhook',
      title: 'A webhook was delivered',
      done: rows[0]?.done ?? false,
      help: 'Add an endpoint under Webhooks, send a test event to it and answer with a 2xx.',
    },
  ];
}
