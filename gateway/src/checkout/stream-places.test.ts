import { expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../test/support/api.ts';
import { startApp } from '../../test/support/running.ts';
import { Refusal } from '../kit/errors.ts';
import { createStreamPlaces, streamCaps } from './stream-places.ts';

function isTaken(enter: () => unknown): boolean {
  try {
    enter();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.row.status === 429) return false;
    throw error;
  }
}

const countTaken = (times: number, enter: (index: number) => unknown): number =>
  Array.from({ length: times }, (_, index) => isTaken(() => enter(index))).filter(Boolean).length;

test('an address has a number of places, and an IPv6 network as many as an address', () => {
  const places = createStreamPlaces({ address: 3, payment: 100, all: 100 });
  expect(countTaken(5, (index) => places.enter('192.0.2.1', `payment ${index}`))).toBe(3);
  expect(countTaken(5, (index) => places.enter(`2001:db8::${index + 1}`, `payment ${index}`))).toBe(3);
  expect(countTaken(5, (index) => places.enter(`2001:db8:0:${index + 1}::1`, `payment ${index}`))).toBe(5);
});

test('a payment has a number of places, from however many addresses, and all payments together', () => {
  const places = createStreamPlaces({ address: 100, payment: 3, all: 10 });
  const enter = (payment: string) => (index: number) => places.enter(`192.0.2.${index}`, payment);
  expect([1, 2, 3, 4].map((payment) => countTaken(5, enter(`${payment}`)))).toEqual([3, 3, 3, 1]);
});

test('a place that was given back once is free for one other', () => {
  const places = createStreamPlaces({ address: 2, payment: 2, all: 2 });
  const leave = places.enter('192.0.2.1', 'a');
  places.enter('192.0.2.1', 'a');
  leave();
  leave();
  expect(places.taken()).toBe(1);
  expect(countTaken(3, () => places.enter('192.0.2.1', 'a'))).toBe(1);
});

test('a payment takes no more streams than its places; the state is still told, and a place is free again when one ends', async () => {
  const app = await startApp({ env: { RATE_LIMIT: '1' } });
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  const made = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const page = made.body.data.PaymentURL;
  const open = async () => {
    const controller = new AbortController();
    const response = await fetch(page.replace('?', '/events?'), { signal: controller.signal });
    // The stream of a response that nothing holds ends when memory is collected.
    return { status: response.status, response, leave: () => controller.abort() };
  };
  const streams = await Promise.all(Array.from({ length: streamCaps.payment }, open));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await fetch(page.replace('?', '/events?'));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.json()).toMatchObject({
    message: 'Too many requests',
    data: null,
    error: 'rate_limited',
  });
  expect((await fetch(page.replace('?', '/state?'))).status).toBe(200);

  streams[0]?.leave();
  const statusOfNext = async () => {
    const next = await open();
    if (next.status === 200) streams.push(next);
    return next.status;
  };
  await expect.poll(statusOfNext, { interval: 50 }).toBe(200);

  // With the payment all of them end.
  await submitForm(page, 'simulate', { outcome: 'success' });
  await expect.poll(statusOfNext, { interval: 50 }).toBe(200);
  for (const { leave } of streams) leave();
});
