import { describe, expect, test } from 'vitest';
import { queueMail } from '../src/identity/mail/mail.ts';
import { transaction } from '../src/kit/db/db.ts';
import { newId } from '../src/kit/ids.ts';
import { openConsole } from './support/console.ts';
import { type Data, operatorDesk, root } from './support/operator.ts';
import { endedOrWaiting } from './support/payment-fixtures.ts';
import { startApp } from './support/running.ts';
import { openReceiver } from './webhooks/receiver.ts';

const app = await startApp({ seed: { name: 'Nib & Folio' } });
const people = await openConsole(app);
const desk = await operatorDesk(people);

describe('the health of the installation', () => {
  test('lists every process and its loops', async () => {
    const { items } = await desk.get('/processes');
    const here = items.filter((each) => each.is_alive);
    expect(here.length).toBeGreaterThan(0);
    expect(here[0]!.pid).toBe(process.pid);
    expect(here[0]!.loops.map(({ name }) => name)).toContain('payments');
  });

  test('shows rails and rates', async () => {
    expect((await desk.get('/rails')).items).toEqual([
      {
        rail: 'simulated',
        chain: null,
        last_block: null,
        lag_seconds: 0,
        endpoint: null,
        status: 'up',
        faults: [],
        scan: null,
      },
    ]);
    expect(await desk.get('/rates')).toMatchObject({
      kind: 'table',
      sources: [],
      pairs: [],
      minimums: expect.arrayContaining([{ currency: 'PI', usd: '1' }]),
    });
  });

  test('lists failed deliveries, and sends one again', async () => {
    const receiver = await openReceiver();
    const made = await app.api<Data>('POST', '/webhook-endpoints', {
      body: { url: receiver.url, events: ['payment_completed'] },
    });
    const [eventId, id, endpoint] = [newId(), newId(), made.body.data.id];
    await app.db.query(
      `INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body)
       VALUES ($1, $2, 'test', 'payment_completed', $1, 'order-9', 1, '{}')`,
      [eventId, app.integrationId],
    );
    await app.db.query(
      `INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, next_attempt_at, attempts)
       VALUES ($1, $2, $3, $4, 'test', 'failed', NULL, 11)`,
      [endpoint, id, eventId, app.integrationId],
    );
    expect((await desk.get('/failed-deliveries')).items).toMatchObject([
      {
        id,
        payment_reference: 'order-9',
        attempts: 11,
        integration_name: 'Nib & Folio',
        last_attempt_at: null,
      },
    ]);
    expect(await desk.get('/webhook-queue')).toMatchObject({
      live: { failed: 0 },
      test: { failed: 1 },
    });
    const resend = () => desk.call<Data>('POST', `${root}/failed-deliveries/${id}/resend`, { body: {} });
    expect((await resend()).status).toBe(200);
    expect((await desk.get('/failed-deliveries')).items).toEqual([]);
    await receiver.next(() => true, 'the webhook that was sent again');
    await receiver.close();
    expect((await resend()).status).toBe(404);
  });
});

describe('an announcement', () => {
  const at = `${root}/announcements`;
  const shown = async () =>
    (await (await people.as('owner'))<Data>('GET', '/console/account')).body.data.announcement;

  test('is made, changed, followed by another, and ended', async () => {
    const first = await desk.call<Data>('POST', at, {
      body: { text: 'Maintenance at noon', tone: 'waiting' },
    });
    expect(await shown()).toMatchObject({ text: 'Maintenance at noon', tone: 'waiting' });
    const { id } = first.body.data;
    await desk.call<Data>('PATCH', `${at}/${id}`, { body: { text: 'Maintenance at one', tone: 'waiting' } });
    expect(await shown()).toMatchObject({ text: 'Maintenance at one' });
    const second = await desk.call<Data>('POST', at, { body: { text: 'All done', tone: 'quiet' } });
    expect(await shown()).toMatchObject({ text: 'All done' });
    expect(
      (await desk.call<Data>('PATCH', `${at}/${id}`, { body: { text: 'x', tone: 'quiet' } })).status,
    ).toBe(404);
    expect((await desk.call<Data>('POST', `${at}/${second.body.data.id}/end`, { body: {} })).status).toBe(
      200,
    );
    expect(await shown()).toBeNull();
    expect((await desk.get('/announcements')).items).toHaveLength(2);
  });

  test.each([
    [{ text: '', tone: 'quiet' }],
    [{ text: 'x'.repeat(301), tone: 'quiet' }],
    [{ text: 'a\0b', tone: 'quiet' }],
    [{ text: 'Fine', tone: 'loud' }],
  ])('is refused as %j', async (body) => {
    expect((await desk.call<Data>('POST', at, { body })).status).toBe(400);
    expect(await shown()).toBeNull();
  });
});

describe('the outbox', () => {
  test('shows the text of one mail at a time, and logs who read it', async () => {
    await queueMail(app.db, {
      ...{ kind: 'endpoint_disabled', to: 'ada@example.com' },
      ...{ subject: 'A link', text: 'https://example.com/secret' },
    });
    const { items, has_server } = await desk.get('/mails?state=waiting');
    expect(has_server).toBe(false);
    expect(items[0]).toMatchObject({ recipient: 'ada@example.com', state: 'waiting', has_text: true });
    expect(JSON.stringify(items)).not.toContain('secret');
    const opened = await desk.call<Data>('POST', `${root}/mails/${items[0]!.id}/open`, { body: {} });
    expect(opened.body.data.text).toBe('https://example.com/secret');
    expect(await desk.lastChange()).toMatchObject({
      action: 'read a mail of the outbox',
      after: { recipient: 'ada@example.com', subject: 'A link' },
    });
    expect((await desk.call<Data>('POST', `${root}/mails/${items[0]!.id}/retry`, { body: {} })).status).toBe(
      200,
    );
  });

  test('takes a test mail to a good address', async () => {
    expect((await desk.call<Data>('POST', `${root}/mails/test`, { body: { to: 'nowhere' } })).status).toBe(
      400,
    );
    expect(
      (await desk.call<Data>('POST', `${root}/mails/test`, { body: { to: 'bea@example.com' } })).status,
    ).toBe(200);
    expect((await desk.get('/mails')).items[0]).toMatchObject({ recipient: 'bea@example.com' });
  });
});

describe('accounts', () => {
  const at = (id: string) => `${root}/accounts/${id}`;

  test('are found by address, and show what they are members of', async () => {
    const { items } = await desk.get('/accounts?search=OWNER');
    expect(items).toMatchObject([
      {
        email: 'owner@example.com',
        is_operator: false,
        merchants: [{ name: 'Corner shops', role: 'owner' }],
      },
    ]);
  });

  test('become operators and stop being it, but the last one stays', async () => {
    const [owner, self] = [people.accountId('owner'), people.accountId('operator')];
    const set = (id: string, is_operator: boolean) =>
      desk.call<Data>('PUT', `${at(id)}/operator`, { body: { is_operator } });
    expect((await set(self, false)).body.error).toBe('operator_last');
    expect((await set(owner, true)).status).toBe(200);
    expect((await desk.get('/accounts?kind=operators')).items).toHaveLength(2);
    const both = await Promise.all([
      set(self, false),
      (await people.as('owner'))('PUT', `${at(owner)}/operator`, { body: { is_operator: false } }),
    ]);
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    await transaction(app.db, (tx) => tx.query('UPDATE accounts SET is_operator = (id = $1)', [self]));
    expect((await set(newId(), true)).status).toBe(404);
  });

  test('are not made by somebody who loses these rights during the call', async () => {
    await people.as('support');
    const [self, other] = [people.accountId('operator'), people.accountId('support')];
    const { calling } = await transaction(app.db, async (tx) => {
      await tx.query('UPDATE accounts SET is_operator = false WHERE id = $1', [self]);
      const path = `${root}/accounts/${other}/operator`;
      const under = desk.call<Data>('PUT', path, { body: { is_operator: true } });
      await endedOrWaiting(app.db, under);
      return { calling: under };
    });
    expect((await calling).body.error).toBe('operators_only');
    await app.db.query('UPDATE accounts SET is_operator = true WHERE id = $1', [self]);
  });

  test('are signed out everywhere', async () => {
    const support = await people.as('support');
    expect((await support('GET', '/console/account')).status).toBe(200);
    const ended = await desk.call<Data>('DELETE', `${at(people.accountId('support'))}/sessions`, {
      body: {},
    });
    expect(ended.body.data).toEqual({ ended: 1 });
    expect((await support('GET', '/console/account')).status).toBe(401);
  });
});
