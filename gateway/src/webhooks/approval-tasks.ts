import type { ApprovalTask } from '../identity/approval.ts';
import type { IntegrationId } from '../identity/service.ts';
import type { Reader } from '../kit/db.ts';
import { hasVerifiedWebhook } from './health.ts';

/** What webhooks have to show before live mode is asked for: a server that takes them. */
export async function webhookApprovalTasks(reader: Reader, id: IntegrationId): Promise<ApprovalTask[]> {
  const done =
    (await hasVerifiedWebhook(reader, id, 'test')) || (await hasVerifiedWebhook(reader, id, 'live'));
  return [
    {
      slug: 'webhook',
      title: 'A webhook was delivered',
      done,
      help: 'Add an endpoint under Webhooks, complete a test payment, and answer its webhook with a 2xx.',
    },
  ];
}
