import type { Api } from '../../gateway/test/support/api.ts';
import { signIn } from '../../gateway/test/support/console.ts';
import type { RunningGateway } from '../gateway.ts';

/** A call of the dashboard's pages. */
export type PageCall = { name: string; path: string; by: 'merchant' | 'operator' };

/** Makes calls of a gateway's dashboard, with values of the gateway's own payments. */
export type Dashboard = { call(page: PageCall): Promise<void> };

const mode = [
  'overview?days=7',
  'overview?days=90',
  'payments?limit=50',
  'payments?status=in-appeal',
  'payments?status=completed',
  'payments?status=linked,pending',
  'payments?unusual=late',
  'payments?unusual=part_paid',
  'payments?unusual=overpaid',
  'payments?currency=CSK&min_amount=500&max_amount=510',
  'payments?q=:reference',
  'payments?q=:email',
  'payments?q=:order',
  'payments/:reference',
  'payments/:reference/refunds',
  'appeals?status=open',
  'appeals?status=closed',
  'balances',
  'balance-entries',
  'events?reference=:reference',
  'webhooks',
  'deliveries',
  'deliveries?status=failed',
  'requests',
  'payouts',
  'keys',
  'clock',
  'onboarding',
];
const operator = [
  'overview?mode=test',
  'merchants',
  'integrations',
  'approvals',
  'accounts',
  'mails',
  'audit',
  'totals',
  'receivables',
  'holdings',
  'rails',
  'processes',
  'owed-refunds',
  'owed-overpayments',
  'suspense',
  'appeals',
  'webhook-queue',
  'failed-deliveries',
  'payouts',
  'fees',
  'treasury-moves',
];

/** Every page's calls, the lists with their filters and searches. */
export const pageCalls: readonly PageCall[] = [
  ...mode.map((path) => ({ name: path, path, by: 'merchant' as const })),
  ...operator.map((path) => ({ name: `operator's ${path}`, path, by: 'operator' as const })),
];

/** Signs in as the demo's merchant and operator. */
export async function openDashboard({ demo, db }: RunningGateway): Promise<Dashboard> {
  const base = demo.base_url;
  const clients: Record<PageCall['by'], Api> = {
    merchant: await signIn(base, demo.merchant.email, demo.merchant.password),
    operator: await signIn(base, demo.operator.email, demo.operator.password),
  };
  const { rows } = await db.query<{ reference: string; email: string; order: string }>(
    `SELECT reference, customer_email AS email, meta_data::json ->> 'order' AS order FROM payments
     WHERE integration_id = $1 AND mode = 'test' AND status = 'completed' AND customer_email IS NOT NULL
       AND meta_data IS NOT NULL ORDER BY created_at DESC LIMIT 1`,
    [demo.integration_id],
  );
  const values = rows[0];
  if (!values) throw new Error('There is no completed payment');
  const places = {
    merchant: `/console/integrations/${demo.integration_id}/test/`,
    operator: '/console/operator/',
  };
  return {
    async call({ by, path }) {
      const filled = path
        .replace(':reference', values.reference)
        .replace(':email', encodeURIComponent(values.email))
        .replace(':order', encodeURIComponent(values.order));
      const answer = await clients[by]('GET', places[by] + filled);
      if (answer.status !== 200) throw new Error(`${filled}: ${answer.text}`);
    },
  };
}
