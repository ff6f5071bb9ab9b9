import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { type Answer, failure, ok, serveAnswers } from '../test/server.ts';
import { createClient } from './client.ts';
import { pause } from './exchange.ts';

const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const payment = { amount: 1, currency: 'PI', payment_type: 'deposit' } as const;
const reason = new Error('the shop is closing');

describe('a signal of the caller', () => {
  test.each<Answer>(['silence', 'slow body'])(
    'ends a call in %s at once, with its own reason',
    async (answer) => {
      const { baseUrl, received } = await serveAnswers(answer);
      const stop = new AbortController();
      const client = createClient({ secretKey, baseUrl });
      const outcome = expect(client.payments.create(payment, { signal: stop.signal })).rejects.toBe(reason);
      await expect.poll(() => received.length).toBe(1);
      stop.abort(reason);
      await outcome;
      expect(received).toHaveLength(1);
    },
  );

  test('ends the wait between two tries at once', async () => {
    const { baseUrl, received } = await serveAnswers(
      failure(503, 'Temporarily unavailable', { 'Retry-After': '50' }),
    );
    const stop = new AbortController();
    const client = createClient({
      secretKey,
      baseUrl,
      sleep: (milliseconds, signal) => {
        const waited = pause(milliseconds, signal);
        stop.abort(reason);
        return waited;
      },
    });
    await expect(client.balances.list({ signal: stop.signal })).rejects.toBe(reason);
    expect(received).toHaveLength(1);
  });

  test('that was aborted before sends nothing', async () => {
    const { baseUrl, received } = await serveAnswers(ok({}));
    const client = createClient({ secretKey, baseUrl });
    const signal = AbortSignal.abort(reason);
    await expect(client.fundUser({ username: 'a', amount: 1, currency: 'pi' }, { signal })).rejects.toBe(
      reason,
    );
    await expect(pause(60_000, signal)).rejects.toBe(reason);
    expect(received).toEqual([]);
  });

  test('serves many calls, and is left as it was', async () => {
    const { baseUrl } = await serveAnswers(
      failure(500, 'Internal error'),
      ok({ items: [], next_cursor: null }),
    );
    const { signal } = new AbortController();
    const client = createClient({ secretKey, baseUrl, sleep: (_, given) => pause(1, given) });
    for (let call = 0; call < 3; call++) await client.payments.list({}, { signal });
    for await (const each of client.events.listAll({}, { signal })) expect(each).toBeDefined();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
