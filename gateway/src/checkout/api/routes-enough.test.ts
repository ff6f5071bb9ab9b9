import { beforeAll, expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';

let app: RunningApp;
let created = 0;

beforeAll(async () => {
  app = await startApp({ seed: { shortTolerance: { percent: 2, most: '5.00' } } });
});

const api = async <Data>(method: string, path: string, body?: object) =>
  (await app.api<Data>(method, path, body && { body })).body.data;

async function createShort(): Promise<{ reference: string; page: string }> {
  const reference = `SHORT-${++created}`;
  const made = await api<CreatedPayment>('PUT', '/payment/create', {
    ...{ amount: 25, currency: 'USDC', payment_type: 'deposit', payment_reference: reference },
  });
  await api('POST', `/test/payments/${reference}/simulate`, { outcome: 'exchange_fee' });
  return { reference, page: made.PaymentURL };
}

type Shown = { payment_status: string; reason: string | null; short: boolean; amount_received: string };
const shown = (reference: string) => api<Shown>('GET', `/payments/${reference}`);

test('the customer leaves it at what came, and the shop is told in the event, which others do not say', async () => {
  const { reference, page } = await createShort();
  expect(await shown(reference)).toMatchObject({ payment_status: 'pending', short: false });
  for (let time = 0; time < 2; time++) {
    const answer = await submitForm(page, 'enough', {});
    const to = new URL(answer.headers.get('location') ?? '', page);
    expect([answer.status, to.searchParams.get('notice')]).toEqual([303, null]);
  }
  expect(await shown(reference)).toMatchObject({
    ...{ payment_status: 'completed', reason: 'short', short: true, amount_received: '24.75' },
  });
  const { items } = await api<{ items: { event_type: string; body: string }[] }>('GET', '/events');
  const bodies = items
    .map(({ body }) => JSON.parse(body))
    .filter((each) => each.payment_reference === reference);
  expect(bodies.map(({ event_type, short, paid_amount }) => [event_type, short, paid_amount])).toEqual([
    ['payment_completed', true, '24.75'],
    ['payment_pending', undefined, undefined],
  ]);
});

test('a wrong token finds nothing, and a payment that lacks too much stays as it is', async () => {
  const { reference, page } = await createShort();
  const wrong = new URL(page);
  wrong.searchParams.set('token', 'A'.repeat(22));
  expect((await submitForm(wrong.href, 'enough', {})).status).toBe(404);
  expect(await shown(reference)).toMatchObject({ payment_status: 'pending', short: false });

  const open = await api<CreatedPayment>('PUT', '/payment/create', {
    ...{ amount: 25, currency: 'USDC', payment_type: 'deposit', payment_reference: `SHORT-${++created}` },
  });
  const answer = await submitForm(open.PaymentURL, 'enough', {});
  expect(answer.headers.get('location')).toContain('notice=not_possible');
});

test('at the deadline of the test clock it completes by itself, and a page says what was paid', async () => {
  const { reference, page } = await createShort();
  await api('POST', '/test/clock/advance', { seconds: 600 });
  expect(await shown(reference)).toMatchObject({ payment_status: 'completed', short: true });
  expect(await (await fetch(page)).text()).toContain('24.75');
});
