import type { IntegrationId } from '../../identity/integration.ts';
import type { ApprovalTask } from '../../identity/integrations/approval.ts';
import type { Reader } from '../../kit/db/db.ts';

/** How many of the newest test payments are looked at: enough to decide, and never a long search. */
const looked = 1000;

/** What an integration shows of itself by its test payments, before it may ask for live mode. */
export async function paymentApprovalTasks(reader: Reader, id: IntegrationId): Promise<ApprovalTask[]> {
  const { rows } = await reader.query<{ completed: boolean | null; returned: boolean | null }>(
    `SELECT bool_or(status = 'completed') AS completed,
       bool_or(status = 'completed' AND success_url IS NOT NULL) AS returned
     FROM (SELECT status, success_url FROM payments WHERE integration_id = $1 AND mode = 'test'
           ORDER BY created_at DESC, id DESC LIMIT $2) AS newest`,
    [id, looked],
  );
  return [
    {
      slug: 'payment',
      title: 'A test payment was completed',
      done: rows[0]?.completed ?? false,
    },
    {
      slug: 'redirect',
      title: 'Customers come back to the shop',
      done: rows[0]?.returned ?? false,
    },
  ];
}
