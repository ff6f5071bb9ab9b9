import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NOW, PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { type CreatedPayment, submitForm } from '../../test/support/api.ts';
import { type RunningApp, startApp } from '../../test/support/running.ts';
import type { Hints } from '../kit/db/hints.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import { stateOf } from './state-json.ts';
import { createStreams } from './stream.ts';
import { createStreamPlaces } from './stream-places.ts';

type Listening = {
  /** The next message, without the beats before it; null when the stream has ended. */
  next(): Promise<{ id: number; state: { payment_status: string; sequence: number } } | null>;
  /** The next comment line, such as a beat. */
  comment(): Promise<string>;
  headers: Headers;
  leave(): void;
};

/** Opens a stream as a browser does, and reads it block by block. */
async function listen(url: string, lastEventId?: number): Promise<Listening> {
  const controller = new AbortController();
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
  const response = await fetch(url, { headers, signal: controller.signal });
  const blocks = blocksOf(response);
  async function find(pattern: RegExp): Promise<RegExpExecArray | null> {
    for (let block = await blocks.next(); !block.done; block = await blocks.next()) {
      const found = pattern.exec(block.value);
      if (found) return found;
    }
    return null;
  }
  return {
    headers: response.headers,
    leave: () => controller.abort(),
    comment: async () => (await find(/^: (.*)$/))?.[1] ?? '',
    async next() {
      const found = await find(/^id: (\d+)\ndata: (.*)$/);
      return found && { id: Number.parseInt(found[1]!, 10), state: JSON.parse(found[2]!) };
    },
  };
}

async function* blocksOf(response: Response): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
}

describe('the stream of a payment', () => {
  let app: RunningApp;
  let page: string;
  let events: string;
  const listening: Listening[] = [];

  beforeEach(async () => {
    app ??= await startApp();
    const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
    page = (await app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL;
    events = page.replace('?', '/events?');
  });
  afterEach(() => {
    for (const each of listening.splice(0)) each.leave();
  });

  async function open(lastEventId?: number): Promise<Listening> {
    const stream = await listen(events, lastEventId);
    listening.push(stream);
    return stream;
  }

  test('begins with the current state, in the same JSON', async () => {
    const stream = await open();
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const state = await (await fetch(page.replace('?', '/state?'))).json();
    expect(await stream.next()).toEqual({ id: (state as { sequence: number }).sequence, state });
  });

  test('goes on with a message for every change, numbered by its sequence', async () => {
    const stream = await open();
    const first = (await stream.next())!;
    await submitForm(page, 'method', { asset: 'usdc-base' });
    const linked = (await stream.next())!;
    await submitForm(page, 'simulate', { outcome: 'success' });
    const paid = (await stream.next())!;
    expect([linked, paid].map(({ state }) => state.payment_status)).toEqual(['linked', 'completed']);
    for (const { id, state } of [first, linked, paid]) expect(id).toBe(state.sequence);
    expect(first.id).toBeLessThan(linked.id);
    expect(linked.id).toBeLessThan(paid.id);
  });

  test('is resumed after the last message without a repeat', async () => {
    const stream = await open();
    const { id } = (await stream.next())!;
    stream.leave();
    const resumed = await open(id);
    await submitForm(page, 'cancel', {});
    expect((await resumed.next())?.state.payment_status).toBe('cancelled');

    const late = await open(id);
    expect((await late.next())?.state.payment_status).toBe('cancelled');
  });

  test('reports changes of this payment only', async () => {
    const stream = await open();
    await stream.next();
    const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
    const other = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
    await submitForm(other.body.data.PaymentURL, 'cancel', {});
    await submitForm(page, 'method', { asset: 'usdc-base' });
    expect((await stream.next())?.state.payment_status).toBe('linked');
  });

  test('ends with the payment, after its last state, and is not opened for that state again', async () => {
    const stream = await open();
    await stream.next();
    await submitForm(page, 'simulate', { outcome: 'success' });
    const last = (await stream.next())!;
    expect(last.state.payment_status).toBe('completed');
    expect(await stream.next()).toBeNull();
    const again = await open();
    expect(await again.next()).toEqual(last);
    expect(await again.next()).toBeNull();
    expect((await fetch(events, { headers: { 'last-event-id': `${last.id}` } })).status).toBe(204);
  });

  test('is not opened by a HEAD request, which would not end before the stream', async () => {
    expect((await fetch(events, { method: 'HEAD' })).status).toBe(404);
  });
});

describe('streams', () => {
  const listeners = new Set<(key: string) => void>();
  /** Hints within this process, which the test sends itself. */
  const hints: Hints = {
    send: (_, key = '') => {
      for (const listener of listeners) listener(key);
    },
    on: (_, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
  let server: FastifyInstance;
  const serverSockets = new Set<Socket>();
  let streams: ReturnType<typeof createStreams>;
  let places: ReturnType<typeof createStreamPlaces>;
  let url: string;
  let current: CheckoutPayment;
  let read: () => Promise<CheckoutPayment | null>;
  /** The payment as the route read it before it opened the stream. */
  let known: CheckoutPayment;

  beforeEach(async () => {
    current = known = PAYMENTS.waiting;
    read = async () => current;
    places = createStreamPlaces();
    streams = createStreams({ hints, places, now: () => NOW });
    server = Fastify({ forceCloseConnections: true });
    server.get('/events', async (request: FastifyRequest, reply: FastifyReply) => {
      streams.open(request, reply, known, () => read());
      return reply;
    });
    url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/events`;
    server.server.on('connection', (socket) => serverSockets.add(socket));
  });
  afterEach(async () => {
    serverSockets.clear();
    vi.useRealTimers();
    await server.close();
  });

  const change = (version: number): void => {
    current = { ...current, version };
    hints.send('payment', current.id);
  };

  test('beat every ten seconds, and then find a change that came without a hint', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stream = await listen(url);
    await stream.next();
    current = { ...current, version: 7 };
    vi.advanceTimersByTime(9_999);
    expect(listeners.size).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await stream.comment()).toBe('beat');
    expect((await stream.next())?.id).toBe(7);
  });

  test('report a change between the reading of the payment and the opening', async () => {
    // Without beats nothing else finds the change.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    current = { ...known, version: 2 };
    const stream = await listen(url);
    expect([(await stream.next())?.id, (await stream.next())?.id]).toEqual([1, 2]);
  });

  test('report a change once, even if many hints come for it', async () => {
    const stream = await listen(url);
    await stream.next();
    for (let hint = 0; hint < 20; hint++) change(2);
    hints.send('payment', 'another');
    expect((await stream.next())?.id).toBe(2);
    change(3);
    expect((await stream.next())?.id).toBe(3);
  });

  test('continue after a time in which the database could not be reached', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const stream = await listen(url);
    await stream.next();
    read = async () => {
      throw new Error('connection refused');
    };
    change(2);
    read = async () => current;
    change(3);
    expect(await stream.next()).toEqual({ id: 3, state: stateOf(current) });
  });

  test('end when the gateway closes, and none is opened after that', async () => {
    const open = await Promise.all([listen(url), listen(url)]);
    for (const stream of open) await stream.next();
    streams.close();
    expect(await Promise.all(open.map((stream) => stream.next()))).toEqual([null, null]);
    const late = await listen(url);
    expect((await late.next())?.id).toBe(1);
    expect(await late.next()).toBeNull();
    expect(listeners.size).toBe(0);
  });

  test('end without an error while a change is being read', async () => {
    const stream = await listen(url);
    await stream.next();
    const { promise, resolve } = Promise.withResolvers<CheckoutPayment>();
    read = () => promise;
    change(2);
    streams.close();
    resolve(current);
    expect(await stream.next()).toBeNull();
  });

  test('unsubscribe from hints when the customer has left', async () => {
    const stream = await listen(url);
    await stream.next();
    stream.leave();
    await expect.poll(() => listeners.size, { interval: 5 }).toBe(0);
    expect(places.taken()).toBe(0);
  });

  test('end after a quarter of an hour without a change', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const stream = await listen(url);
    await stream.next();
    for (let beat = 0; beat < 90; beat++) {
      vi.advanceTimersByTime(10_000);
      expect(await stream.comment()).toBe('beat');
    }
    vi.advanceTimersByTime(10_000);
    expect(await stream.next()).toBeNull();
    expect([listeners.size, places.taken()]).toEqual([0, 0]);
  });

  test('drop a reader that takes nothing in, and keep no more than one state for it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const size = 16_000_000;
    current = known = { ...PAYMENTS.waiting, currency: 'x'.repeat(size) };
    const { port } = server.server.address() as { port: number };
    const reader = connect({ port, host: '127.0.0.1' }).on('error', () => {});
    reader.write('GET /events HTTP/1.1\r\nhost: a\r\n\r\n');
    reader.pause();
    await expect.poll(() => listeners.size, { interval: 5 }).toBe(1);
    let reads = 0;
    read = async () => {
      reads += 1;
      return current;
    };
    for (let version = 2; version < 20; version++) {
      change(version);
      await expect.poll(() => reads, { interval: 1 }).toBeGreaterThanOrEqual(version - 1);
    }
    expect(serverSockets.size).toBe(1);
    for (const { writableLength } of serverSockets) expect(writableLength).toBeLessThan(1.1 * size);
    vi.advanceTimersByTime(20_000);
    expect(listeners.size).toBe(1);
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => [listeners.size, places.taken()], { interval: 5 }).toEqual([0, 0]);
    reader.destroy();
  });
});
