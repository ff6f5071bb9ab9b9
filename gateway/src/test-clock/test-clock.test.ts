import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../test/support/api.ts';
import { seedIntegration, testClock } from '../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';
import { openReceiver, type Receiver } from '../../test/webhooks/receiver.ts';

type ClockTime = { now: string };
type Payment = { payment_status: string; deadline: string; transfers: unknown[] };
type Outcome = 'success' | 'underpaid' | 'slow';

// It does not run, so that what the test clock shows is exact; the database has the real time.
const clock = testClock();
const realTime = clock.now().toISOString();

let app = await startApp({ seed: { approved: true }, now: clock.now });
beforeEach(async () => {
  await app.api('POST', '/test/clock/reset');
});

const shown = async (key = app.secretKey): Promise<string> =>
  (await app.api<ClockTime>('GET', '/test/clock', { key })).body.data.now;

const advance = (seconds: unknown, headers: Record<string, string> = {}): Promise<Answer<ClockTime>> =>
  app.api('POST', '/test/clock/advance', { body: { seconds }, headers });

const after = (seconds: number): string => new Date(clock.now().getTime() + seconds * 1000).toISOString();

let created = 0;
async function createPayment(key = app.secretKey): Promise<string> {
  const reference = `CLOCK-${++created}`;
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
  await app.api('PUT', '/payment/create', { key, body });
  return reference;
}

const read = async (reference: string, key = app.secretKey): Promise<Payment> =>
  (await app.api<Payment>('GET', `/payments/${reference}`, { key })).body.data;

const simulate = (reference: string, outcome: Outcome, headers: Record<string, string> = {}) =>
  app.api<Payment>('POST', `/test/payments/${reference}/simulate`, { body: { outcome }, headers });

describe('the test clock', () => {
  test('shows the real time until it is advanced, and again once it is reset', async () => {
    expect(await shown()).toBe(realTime);
    expect((await advance(60)).body).toEqual({ message: 'Test clock advanced', data: { now: after(60) } });
    expect((await advance(40)).body.data).toEqual({ now: after(100) });
    expect(await shown()).toBe(after(100));
    const reset = await app.api<ClockTime>('POST', '/test/clock/reset');
    expect(reset.body).toEqual({ message: 'Test clock reset', data: { now: realTime } });
    expect(await shown()).toBe(realTime);
  });

  test('advances by a year at most', async () => {
    const { secretKey } = await seedIntegration(app.db);
    const leap = (seconds: number) =>
      app.api<ClockTime>('POST', '/test/clock/advance', { key: secretKey, body: { seconds } });
    const year = 366 * 24 * 3600;
    expect((await leap(year + 1)).body.message).toMatch(/^seconds is invalid: /);
    expect((await leap(year)).body.data.now).toBe(after(year));
    expect(await shown()).toBe(realTime);
  });

  test.each([0, -60, 1.5, '60', null, [60], {}, true, undefined])(
    'does not advance by %j seconds',
    async (seconds) => {
      const { status, body } = await advance(seconds);
      expect([status, body.error]).toEqual([400, 'field_invalid']);
      expect(await shown()).toBe(realTime);
    },
  );

  test('is not to be had with a live key', async () => {
    const calls: [string, string, object?][] = [
      ['GET', '/test/clock'],
      ['POST', '/test/clock/advance', { seconds: 60 }],
      ['POST', '/test/clock/reset'],
    ];
    for (const [method, path, body] of calls) {
      const answer = await app.api(method, path, { key: app.liveSecretKey, ...(body ? { body } : {}) });
      expect([answer.status, answer.body.message]).toEqual([403, 'Only available in test mode']);
    }
  });
});

describe('advancing it', () => {
  test("brings the deadlines of the integration's own test payments closer, and no other", async () => {
    const other = await seedIntegration(app.db);
    const own = await createPayment();
    const live = await createPayment(app.liveSecretKey);
    const strange = await createPayment(other.secretKey);
    const deadline = async (reference: string, key: string) => (await read(reference, key)).deadline;
    const liveDeadline = await deadline(live, app.liveSecretKey);

    await advance(60);
    expect(await deadline(own, app.secretKey)).toBe(after(540));
    expect(await deadline(live, app.liveSecretKey)).toBe(liveDeadline);
    expect(await deadline(strange, other.secretKey)).toBe(after(600));
    expect(await shown(other.secretKey)).toBe(realTime);
  });

  test('ends what it passes before it answers: an unpaid payment is abandoned', async () => {
    const reference = await createPayment();
    await advance(599);
    expect((await read(reference)).payment_status).toBe('unlinked');
    await advance(1);
    expect((await read(reference)).payment_status).toBe('cancelled');
  });

  test('lets the simulated chain go on', async () => {
    const reference = await createPayment();
    await simulate(reference, 'slow');
    expect((await read(reference)).payment_status).toBe('pending');
    await advance(60);
    expect((await read(reference)).payment_status).toBe('completed');
  });

  test('is not undone by a reset: what happened has happened', async () => {
    const reference = await createPayment();
    await advance(600);
    await app.api('POST', '/test/clock/reset');
    expect((await read(reference)).payment_status).toBe('cancelled');
  });
});

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name });
  const replayed = (answer: Answer<unknown>) => answer.headers.get('idempotent-replayed');

  test('advances the clock once, and answers the same again', async () => {
    const first = await advance(60, key('advance'));
    const again = await advance(60, key('advance'));
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
    expect(replayed(first)).toBeNull();
    expect(await shown()).toBe(after(60));

    const other = await advance(61, key('advance'));
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_mismatch']);
    expect(await shown()).toBe(after(60));
  });

  test('simulates once, and answers the same again whatever came between', async () => {
    const reference = await createPayment();
    const first = await simulate(reference, 'underpaid', key('simulate'));
    await simulate(reference, 'success');
    const again = await simulate(reference, 'underpaid', key('simulate'));
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
    expect((await read(reference)).transfers).toHaveLength(2);
  });

  test('of one payment is another for the next', async () => {
    const [one, other] = [await createPayment(), await createPayment()];
    await simulate(one, 'success', key('both'));
    const next = await simulate(other, 'success', key('both'));
    expect([next.body.data.payment_status, replayed(next)]).toEqual(['completed', null]);
  });
});

describe('webhooks that become due', () => {
  const ofPayment = (receiver: Receiver, reference: string): string[] =>
    receiver.received
      .filter(({ body }) => body.payment_reference === reference)
      .map(({ body }) => body.event_type);

  /** A gateway of its own that sends to `url`; what follows calls it in place of the one above. */
  async function hear(url: string): Promise<RunningApp> {
    const own = await startApp();
    await own.api('POST', '/webhook-endpoints', { body: { url } });
    return own;
  }

  test('have each been tried once when the answer comes', async () => {
    const receiver = await openReceiver(() => 500);
    app = await hear(receiver.url);
    const reference = await createPayment();
    await advance(600);
    expect(ofPayment(receiver, reference)).toEqual(['payment_abandoned']);
    // The first retry is due a minute later, more or less a tenth.
    await advance(50);
    expect(ofPayment(receiver, reference)).toHaveLength(1);
    await advance(20);
    expect(ofPayment(receiver, reference)).toHaveLength(2);
    await advance(24 * 3600);
    expect(ofPayment(receiver, reference)).toHaveLength(3);
    await receiver.close();
  });

  test('wait for the attempt that is under way', async () => {
    const held: ServerResponse[] = [];
    const server = createServer((request, response) => {
      request.resume();
      held.push(response);
      server.emit('webhook');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const arrival = () => once(server, 'webhook');

    const first = arrival();
    app = await hear(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await simulate(await createPayment(), 'success');
    await first;
    const second = arrival();
    const advanced = advance(70);
    held[0]?.writeHead(500).end();
    await second;
    held[1]?.writeHead(200).end();
    expect((await advanced).status).toBe(200);
    expect(held).toHaveLength(2);
    server.close();
    server.closeAllConnections();
  });
});
