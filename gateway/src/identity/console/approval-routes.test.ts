import { describe, expect, test } from 'vitest';
import { type CreatedPayment, createApi } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { startApp } from '../../../test/support/running.ts';
import { openReceiver } from '../../../test/webhooks/receiver.ts';
import type { ApprovalTask } from '../integrations/approval.ts';

/** A second gateway on the same database. */
const app = await startApp();
const other = await startApp({ database: app, integration: app });
const console = await openConsole(app);
const owner = await console.as('owner');
const operator = await console.as('operator');

type ApprovalData = { status: string; reason: string | null; tasks: ApprovalTask[] };

const approval = async () => (await owner<ApprovalData>('GET', `${console.integration}/approval`)).body.data;
const openTasks = async () => (await approval()).tasks.filter(({ done }) => !done).map(({ slug }) => slug);
const request = () => owner('POST', `${console.integration}/approval/request`);
const decide = (decision: string, body: object = {}) =>
  operator('POST', `/console/operator/integrations/${app.integrationId}/${decision}`, { body });
const queue = async (status: string) =>
  (await operator<{ items: { id: string }[] }>('GET', `/console/operator/approvals?status=${status}`)).body
    .data.items;
const payment = { amount: 5, currency: 'USDC', payment_type: 'deposit' };
/** The answer of each gateway to a live payment. */
const live = () =>
  Promise.all(
    [app, other].map(async ({ baseUrl, liveSecretKey }) => {
      const answer = await createApi(baseUrl, liveSecretKey)('PUT', '/payment/create', { body: payment });
      return answer.status;
    }),
  );

describe('the tasks before live mode', () => {
  test('are done when the data says so, and only then live mode can be requested', async () => {
    expect(await openTasks()).toEqual(['domain', 'fee', 'payment', 'redirect', 'webhook']);
    const early = await request();
    expect([early.status, early.body.error]).toEqual([409, 'approval_tasks_open']);
    expect(early.body.message).toContain('A test payment was completed; ');

    const receiver = await openReceiver();
    const endpoint = { url: receiver.url, events: ['payment_completed'] };
    expect((await app.api('POST', '/webhook-endpoints', { body: endpoint })).status).toBe(200);
    const body = { ...payment, success_url: 'https://shop.example/thanks' };
    const made = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
    const reference = made.body.data.PaymentData.payment_reference;
    await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
    await expect.poll(openTasks).toEqual(['domain', 'fee']);
    await receiver.close();

    await owner('POST', `${console.integration}/approval/accept-fee`);
    await app.db.query(
      `UPDATE integrations SET domain = 'shop.example', domain_token = 'x', domain_verified_at = now()`,
    );
    expect(await openTasks()).toEqual([]);
    expect((await request()).status).toBe(200);
    expect(await approval()).toMatchObject({ status: 'requested' });
    expect((await request()).body.error).toBe('approval_not_possible');
    expect((await queue('requested')).map(({ id }) => id)).toEqual([app.integrationId]);
  });

  test('are shown to the operator with the business and its volume', async () => {
    const { body } = await operator<object>('GET', `/console/operator/approvals/${app.integrationId}`);
    expect(body.data).toMatchObject({
      approval: 'requested',
      merchant: { id: console.merchantId, name: 'Corner shops' },
      domain: 'shop.example',
      domain_verified: true,
      tasks: (await approval()).tasks,
      volume: [{ mode: 'test', currency: 'USDC', payments: '1', amount: '5' }],
    });
  });
});

describe('a decision of an operator', () => {
  test('applies from the next request of every gateway', async () => {
    expect(await live()).toEqual([403, 403]);
    expect((await decide('approve')).status).toBe(200);
    expect(await live()).toEqual([200, 200]);
    expect((await decide('suspend', { reason: 'Goods never came' })).status).toBe(200);
    expect(await live()).toEqual([403, 403]);
    expect(await approval()).toMatchObject({ status: 'suspended', reason: 'Goods never came' });
    expect((await decide('resume')).status).toBe(200);
    expect(await live()).toEqual([200, 200]);
  });

  test('is mailed to the owners with its reason, and kept in both audit logs', async () => {
    const rows = (await outbox(app.db)).filter(({ subject }) => subject.includes('live mode'));
    expect(rows.map(({ recipient, subject }) => [recipient, subject])).toEqual([
      ['owner@example.com', 'Corner shop: live mode was approved'],
      ['owner@example.com', 'Corner shop: live mode was suspended'],
      ['owner@example.com', 'Corner shop: live mode was resumed'],
    ]);
    expect(rows[1]!.text).toContain('The reason: Goods never came');
    const suspended = {
      action: 'suspended live mode',
      actor: { name: 'operator@example.com', as_operator: true },
      before: { approval: 'approved' },
      after: { approval: 'suspended', reason: 'Goods never came' },
    };
    for (const [person, path] of [
      [owner, `${console.merchant}/audit`],
      [operator, '/console/operator/audit'],
    ] as const) {
      const { body } = await person<{ items: object[] }>('GET', path);
      expect(
        body.data.items.find((entry) => 'action' in entry && entry.action === suspended.action),
      ).toMatchObject(suspended);
    }
  });

  test('needs a reason to reject or suspend, and must fit the state', async () => {
    for (const body of [{}, { reason: '' }, { reason: '   ' }]) {
      expect((await decide('suspend', body)).body.message).toBe('reason is invalid: is required');
    }
    const wrong = await decide('reject', { reason: 'Too late' });
    expect([wrong.status, wrong.body.message]).toEqual([
      409,
      'This integration cannot be rejected: its live mode is approved',
    ]);
    expect((await decide('approve')).status).toBe(409);
    expect((await decide('suspend', { reason: 'x'.repeat(1001) })).status).toBe(400);
  });

  test('may be a rejection, after which the merchant asks again', async () => {
    await app.db.query(`UPDATE integrations SET approval = 'requested'`);
    expect((await decide('reject', { reason: 'Say what you sell' })).status).toBe(200);
    expect(await approval()).toMatchObject({ status: 'rejected', reason: 'Say what you sell' });
    expect(await live()).toEqual([403, 403]);
    expect((await request()).status).toBe(200);
    expect(await approval()).toMatchObject({ status: 'requested', reason: null });
  });

  test('is refused for an unknown integration', async () => {
    for (const id of ['nonsense', '0198c2a4-1111-7aaa-8bbb-222233334444']) {
      const path = `/console/operator/integrations/${id}/approve`;
      expect((await operator('POST', path, { body: {} })).status).toBe(404);
      expect((await operator('GET', `/console/operator/approvals/${id}`)).status).toBe(404);
    }
    expect((await operator('GET', '/console/operator/approvals?status=odd')).status).toBe(400);
  });
});
