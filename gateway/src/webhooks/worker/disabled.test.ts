import { describe, expect, test } from 'vitest';
import { outbox } from '../../../test/support/mailbox.ts';
import { createWorld, type Merchant, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { auditEntries } from '../../identity/audit/audit-log.ts';
import { addMember, createMerchant } from '../../identity/merchants/merchants.ts';
import type { MemberRole } from '../../identity/roles.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { findEndpoint, shiftTestDeliveries, updateEndpoint } from '../endpoints/endpoints.ts';
import { endpointDisabled } from '../events/event-types.ts';
import { listEvents, resendEvents } from '../events/events.ts';
import { countUnsent } from '../replay/replay.ts';

const world = await createWorld();

const daySeconds = 24 * 3600;

/** A shop whose receiver answers what `status` says, and its endpoint. */
async function shop(status: () => number = () => 500) {
  const receiver = await startReceiver((response) => void response.writeHead(status()).end('no disk'));
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint(receiver.url);
  const owner = { integrationId: merchant.id, mode: 'test' as const };
  return { receiver, merchant, id, owner, state: () => findEndpoint(world.db, owner, id) };
}

async function pass(merchant: Merchant, days: number): Promise<void> {
  await transaction(world.db, (tx) => shiftTestDeliveries(tx, merchant.id, days * daySeconds));
  await world.runDue(merchant);
}

async function fail(merchant: Merchant): Promise<void> {
  await merchant.emit();
  await world.runDue(merchant);
}

/** Lets a shop's endpoint fail on every day, for longer than a week. */
async function failFor(merchant: Merchant, days = 8): Promise<void> {
  await fail(merchant);
  for (let day = 0; day < days; day++) await pass(merchant, 1.2);
}

describe('an endpoint is disabled', () => {
  test('when every attempt has failed for seven days, and not before', async () => {
    const { merchant, state } = await shop();
    await fail(merchant);
    for (let day = 0; day < 6; day++) {
      await pass(merchant, 1.1);
      expect((await state()).status).toBe('active');
    }
    await pass(merchant, 1.1);
    expect(await state()).toMatchObject({
      status: 'disabled',
      disabledReason: 'Every attempt failed for 7 days',
      missingSince: expect.any(Date),
    });
  });

  test('not when an attempt succeeded in between: the count starts anew', async () => {
    let status = 500;
    const { merchant, state } = await shop(() => status);
    await fail(merchant);
    for (let day = 0; day < 4; day++) await pass(merchant, 1.1);
    status = 200;
    await pass(merchant, 1.1);
    expect((await state()).failingSince).toBeNull();
    status = 500;
    await fail(merchant);
    for (let day = 0; day < 5; day++) await pass(merchant, 1.1);
    expect((await state()).status).toBe('active');
    for (let day = 0; day < 3; day++) await pass(merchant, 1.1);
    expect((await state()).status).toBe('disabled');
  });

  test('not by the first attempt of an event after a quiet time, but by its retry', async () => {
    let status = 500;
    const { merchant, state } = await shop(() => status);
    await failFor(merchant, 5);
    await world.db.query("UPDATE deliveries SET status = 'failed', next_attempt_at = NULL");
    await pass(merchant, 7);
    await fail(merchant);
    expect((await state()).status).toBe('active');
    status = 200;
    await pass(merchant, 0.1);
    expect(await state()).toMatchObject({ status: 'active', failingSince: null });
    status = 500;
    await failFor(merchant);
    expect((await state()).status).toBe('disabled');
  });

  test('as small steps of the test clock would: a leap beyond the week adds nothing to a retry within it', async () => {
    const { merchant, state } = await shop();
    await fail(merchant);
    for (const days of [0.01, 0.01, 0.1, 0.1, 1.1, 1.1, 1.1, 1.1]) await pass(merchant, days);
    // The next retry is due on the sixth day at the latest.
    await pass(merchant, 5);
    expect((await state()).status).toBe('active');
    // The last one is due a day after the leap.
    await pass(merchant, 1.2);
    expect((await state()).status).toBe('disabled');
  });

  test('by a 410, which has no retry', async () => {
    const { merchant, state } = await shop(() => 410);
    await fail(merchant);
    await pass(merchant, 6);
    await fail(merchant);
    expect((await state()).status).toBe('active');
    await pass(merchant, 2);
    await fail(merchant);
    expect((await state()).status).toBe('disabled');
  });

  test('not for attempts of which the receiver saw nothing', async () => {
    const { merchant, receiver, state } = await shop();
    await world.db.query('DELETE FROM api_keys WHERE integration_id = $1', [merchant.id]);
    await failFor(merchant);
    expect(receiver.got).toHaveLength(0);
    expect(await state()).toMatchObject({ status: 'active', failingSince: null });
  });

  test('and is as good as new once it is activated, or has another address', async () => {
    const { merchant, receiver, id, state } = await shop(() => 410);
    for (let day = 0; day < 9; day++) {
      await fail(merchant);
      await pass(merchant, 1);
    }
    expect((await state()).status).toBe('disabled');
    const change = (to: object) =>
      transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { ...to, now: new Date() }));
    await change({ status: 'active' });
    await fail(merchant);
    await pass(merchant, 6);
    await change({ url: `${receiver.url}/new` });
    await fail(merchant);
    await pass(merchant, 6);
    await fail(merchant);
    expect(await state()).toMatchObject({ status: 'active', disabledReason: null });
  });
});

describe('of an endpoint that was disabled', () => {
  test('everyone who may activate it gets one mail, at a confirmed address', async () => {
    const { receiver, merchant, id } = await shop();
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
    await failFor(merchant);
    await pass(merchant, 2);

    const mails = (await outbox(world.db)).filter(({ text }) => text.includes(receiver.url));
    const [mail] = mails;
    expect(mails.map(({ recipient }) => recipient.split('-')[0]).sort()).toEqual(['developer', 'owner']);
    expect(mail!.subject).toBe(`Shop: webhooks to ${new URL(receiver.url).host} were turned off`);
    expect(mail!.text).toContain(`https://pay.example.com/app/i/${merchant.id}/test/webhooks`);
    expect(mail!.text).toMatch(/The last attempt failed at .* UTC: Answered 500. It answered: no disk/);

    const [entry] = await auditEntries(world.db, { merchantId }, { before: null, limit: 1 });
    expect(entry).toMatchObject({
      action: 'disabled a webhook endpoint',
      actor: { kind: 'gateway' },
      subject: { kind: 'webhook endpoint', id },
      after: { status: 'disabled', mode: 'test' },
    });
  });

  test("the integration's endpoints that subscribed to it get an event, and the endpoint itself never does", async () => {
    const { receiver, merchant, id, owner } = await shop();
    const others = await Promise.all([startReceiver(), startReceiver()]);
    await merchant.endpoint(others[0].url, [endpointDisabled]);
    await merchant.endpoint(others[1].url, ['payment_failed']);
    const change = { events: ['payment_completed', endpointDisabled] as const };
    await transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { ...change, now: new Date() }));
    await failFor(merchant);
    await world.runDue(merchant);

    const { items } = await listEvents(world.db, owner, { type: endpointDisabled, limit: 10 });
    expect(items).toMatchObject([{ payment_reference: '', sequence: 0 }]);
    expect(others[0].got.map(({ raw }) => raw.toString())).toEqual([items[0]!.body]);
    expect(others[1].got).toEqual([]);
    const body = JSON.parse(items[0]!.body);
    expect(Object.keys(body)).toEqual([
      ...['event_id', 'integration_id', 'event_type', 'timestamp'],
      ...['endpoint_id', 'url', 'reason', 'failing_since'],
    ]);
    expect(body).toMatchObject({
      event_id: items[0]!.event_id,
      integration_id: merchant.id,
      event_type: endpointDisabled,
      endpoint_id: id,
      url: receiver.url,
    });
    expect(body.timestamp - Date.parse(body.failing_since) / 1000).toBeGreaterThanOrEqual(7 * daySeconds - 1);

    await transaction(world.db, (tx) =>
      updateEndpoint(tx, world.hints, id, { status: 'active', now: new Date() }),
    );
    expect(await countUnsent(world.db, [id], 'held', { most: 10 })).toEqual(new Map());
    const told = await transaction(world.db, (tx) =>
      resendEvents(tx, world.hints, [items[0]!.event_id], new Date()),
    );
    expect(told).toBe(1);
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
