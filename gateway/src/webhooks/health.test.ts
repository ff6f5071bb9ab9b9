import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEntries } from '../identity/audit-log.ts';
import { addMember, createMerchant } from '../identity/merchants.ts';
import type { MemberRole } from '../identity/roles.ts';
import { transaction } from '../kit/db.ts';
import { newId } from '../kit/ids.ts';
import { sendTestEvent } from './events.ts';
import { createWorld, type Merchant, startReceiver, type World } from './fixtures.ts';
import { hasVerifiedWebhook, healthOf } from './health.ts';
import { shiftTestDeliveries } from './service.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function receiving(status: () => number) {
  const receiver = await startReceiver((response) => void response.writeHead(status()).end());
  const merchant = await world.merchant();
  const endpoint = await merchant.endpoint(receiver.url);
  return { receiver, merchant, endpoint };
}

describe("an endpoint's health", () => {
  test('counts attempts, tells latencies and the last success, and what still waits', async () => {
    let status = 200;
    const { receiver, merchant, endpoint } = await receiving(() => status);
    await merchant.emit();
    await merchant.emit();
    await world.runDue(merchant);
    status = 500;
    await merchant.emit();
    await world.runDue(merchant);
    await receiver.close();

    const health = (await healthOf(world.db, [endpoint.id])).get(endpoint.id)!;
    expect(health.last_day).toMatchObject({ delivered: 2, failed: 1 });
    expect(health.last_week).toEqual(health.last_day);
    expect(health.last_day.p95_ms).toBeGreaterThanOrEqual(health.last_day.p50_ms!);
    const total = health.hours.reduce((sum, hour) => sum + hour.delivered + hour.failed, 0);
    expect(total).toBe(3);
    expect(health.queued).toBe(1);
    const wait = Date.parse(health.next_attempt_at!) - Date.now();
    expect(wait).toBeGreaterThan(50_000);
    expect(Date.now() - Date.parse(health.last_success_at!)).toBeLessThan(10_000);
  });

  test('adds up what several processes count', async () => {
    const { receiver, merchant, endpoint } = await receiving(() => 200);
    for (let n = 0; n < 3; n++) {
      await merchant.emit();
      await world.runDue(merchant);
    }
    await receiver.close();
    const health = (await healthOf(world.db, [endpoint.id])).get(endpoint.id)!;
    expect(health.last_day.delivered).toBe(3);
  });

  test('of an endpoint that was never called is empty', async () => {
    const { receiver, endpoint } = await receiving(() => 200);
    await receiver.close();
    expect((await healthOf(world.db, [endpoint.id])).get(endpoint.id)).toEqual({
      last_day: { delivered: 0, failed: 0, p50_ms: null, p95_ms: null },
      last_week: { delivered: 0, failed: 0, p50_ms: null, p95_ms: null },
      hours: [],
      last_success_at: null,
      queued: 0,
      next_attempt_at: null,
    });
  });
});

test("a webhook is verified by a real payment's event that was taken, not by a test button's", async () => {
  let status = 500;
  const { receiver, merchant, endpoint } = await receiving(() => status);
  const verified = () => hasVerifiedWebhook(world.db, merchant.id, 'test');
  await merchant.emit();
  await world.runDue(merchant);
  expect(await verified()).toBe(false);

  status = 200;
  const to = { integrationId: merchant.id, mode: 'test' as const, endpointId: endpoint.id };
  await transaction(world.db, (tx) => sendTestEvent(tx, world.hints, to, 'payment_completed', new Date()));
  await world.runDue(merchant);
  expect(await verified()).toBe(false);

  await transaction(world.db, (tx) => shiftTestDeliveries(tx, merchant.id, 90));
  expect(await world.runDue(merchant)).toBe(1);
  await receiver.close();
  expect(await verified()).toBe(true);
  expect(await hasVerifiedWebhook(world.db, merchant.id, 'live')).toBe(false);
});

describe('an endpoint that only failed for seven days', () => {
  test('is disabled, and whoever may mend it is written to once, at an address that is theirs', async () => {
    const { receiver, merchant, endpoint } = await receiving(() => 500);
    const merchantId = await joinMerchant(merchant, [
      'owner',
      'developer',
      'developer',
      'finance',
      'support',
    ]);
    await world.db.query(
      `UPDATE accounts SET email_verified = false WHERE id = (
         SELECT account_id FROM members WHERE merchant_id = $1 AND role = 'developer' LIMIT 1)`,
      [merchantId],
    );
    await merchant.emit();
    await merchant.emit();
    await world.runDue(merchant);
    await world.db.query(
      "UPDATE webhook_endpoints SET failing_since = now() - interval '8 days' WHERE id = $1",
      [endpoint.id],
    );
    await transaction(world.db, (tx) => shiftTestDeliveries(tx, merchant.id, 90));
    await world.runDue(merchant);
    await receiver.close();

    const { rows } = await world.db.query(
      'SELECT recipient, subject, text FROM emails WHERE text LIKE $1 ORDER BY recipient',
      [`%${receiver.url}%`],
    );
    expect(rows.map(({ recipient }) => recipient.split('-')[0])).toEqual(['developer', 'owner']);
    expect(rows[0].subject).toBe(`Shop: webhooks to ${new URL(receiver.url).host} were turned off`);
    expect(rows[0].text).toContain(`https://pay.example.com/app/i/${merchant.id}/test/webhooks`);

    const [entry] = await auditEntries(world.db, { merchantId }, { before: null, limit: 1 });
    expect(entry).toMatchObject({
      action: 'disabled a webhook endpoint',
      actor: { kind: 'gateway' },
      subject: { kind: 'webhook endpoint', id: endpoint.id },
      after: { status: 'disabled', mode: 'test' },
    });
  });
});

async function joinMerchant({ id }: Merchant, roles: MemberRole[]): Promise<string> {
  const now = new Date();
  return await transaction(world.db, async (tx) => {
    const accounts = roles.map((role) => ({ role, id: newId(), email: `${role}-${newId()}@example.com` }));
    for (const account of accounts) {
      await tx.query(
        `INSERT INTO accounts (id, email, email_verified, name, created_at, updated_at)
         VALUES ($1, $2, true, $3, now(), now())`,
        [account.id, account.email, account.role],
      );
    }
    const merchantId = await createMerchant(tx, { name: 'Shops', ownerId: accounts[0]!.id }, now);
    for (const { id: accountId, role } of accounts) await addMember(tx, { merchantId, accountId, role }, now);
    await tx.query('UPDATE integrations SET merchant_id = $2 WHERE id = $1', [id, merchantId]);
    return merchantId;
  });
}
