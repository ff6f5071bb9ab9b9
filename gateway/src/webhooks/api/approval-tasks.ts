import type { IntegrationId } from '../../identity/integration.ts';
import type { ApprovalTask } from '../../identity/integrations/approval.ts';
import type { Reader } from '../../kit/db/db.ts';
import { hasVerifiedWebhook } from '../endpoints/health.ts';

/** What must be done about webhooks before live mode is asked for: a server must have taken one. */
export async function webhookApprovalTasks(reader: Reader, id: IntegrationId): Promise<ApprovalTask[]> {
  const done =
    (await hasVerifiedWebhook(reader, id, 'test')) || (await hasVerifiedWebhook(reader, id, 'live'));
  return [
    {
      slug: 'webhook',
      title: 'A webhook was delivered',
      done,
    },
  ];
}
