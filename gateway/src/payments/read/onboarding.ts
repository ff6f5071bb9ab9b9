import type { Approval, Integration } from '../../identity/integration.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { listEndpoints } from '../../webhooks/endpoints/endpoints.ts';
import { hasVerifiedWebhook } from '../../webhooks/endpoints/health.ts';

/** A step on the way to the first live payment; it is done when the facts show it. */
export type OnboardingStep = {
  step: 'key' | 'payment' | 'completed' | 'endpoint' | 'verified' | 'approval_asked' | 'approved';
  done: boolean;
};

/** How many payments are looked at from either end, so that the search stays short when none was completed. */
const looked = 500;

type Facts = { key: boolean; payment: boolean; completed: boolean | null };

/** The steps of one mode of an integration, in their order: live mode begins with its approval. */
export async function onboardingSteps(
  reader: Reader,
  owner: Owner,
  integration: Pick<Integration, 'approval'>,
): Promise<OnboardingStep[]> {
  const payments = paymentSteps(await factsOf(reader, owner));
  const webhooks = await webhookSteps(reader, owner);
  const approval = approvalSteps(integration.approval);
  return owner.mode === 'live'
    ? [...approval, ...payments, ...webhooks]
    : [...payments, ...webhooks, ...approval];
}

async function factsOf(reader: Reader, { integrationId, mode }: Owner): Promise<Facts> {
  const own = 'FROM payments WHERE integration_id = $1 AND mode = $2';
  const facts = await reader.query<Facts>(
    `SELECT
       EXISTS (SELECT FROM onboarding WHERE integration_id = $1 AND mode = $2)
         OR EXISTS (SELECT FROM api_keys WHERE integration_id = $1 AND mode = $2 AND last_used_at IS NOT NULL) AS key,
       EXISTS (SELECT ${own}) AS payment,
       (SELECT bool_or(status = 'completed') FROM (
         (SELECT status ${own} ORDER BY created_at DESC, id DESC LIMIT ${looked})
         UNION ALL (SELECT status ${own} ORDER BY created_at, id LIMIT ${looked})
       ) AS ends) AS completed`,
    [integrationId, mode],
  );
  return oneRow(facts, 'onboarding');
}

function paymentSteps({ key, payment, completed }: Facts): OnboardingStep[] {
  return [
    { step: 'key', done: key || payment },
    { step: 'payment', done: payment },
    { step: 'completed', done: completed ?? false },
  ];
}

async function webhookSteps(reader: Reader, owner: Owner): Promise<OnboardingStep[]> {
  return [
    { step: 'endpoint', done: (await listEndpoints(reader, owner)).length > 0 },
    { step: 'verified', done: await hasVerifiedWebhook(reader, owner.integrationId, owner.mode) },
  ];
}

function approvalSteps(approval: Approval): OnboardingStep[] {
  return [
    { step: 'approval_asked', done: approval !== 'none' },
    { step: 'approved', done: approval === 'approved' },
  ];
}

/** Notes that somebody copied the mode's key; false when that was noted before. */
export async function noteKeyCopied(tx: Tx, { integrationId, mode }: Owner, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'INSERT INTO onboarding (integration_id, mode, key_copied_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [integrationId, mode, now],
  );
  return rowCount === 1;
}
