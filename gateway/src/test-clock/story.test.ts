import { expect, test } from 'vitest';
import { startApp } from '../../test/support/running.ts';
import { openReceiver, type Receiver } from '../../test/webhooks/receiver.ts';

// One clock for everything that an integration's test mode waits for: what the chain still shows, deadlines, retries,
// and deliveries that chaos holds back.

const hour = 3600;

test('an hour and some minutes of test mode, in a few steps of the test clock', async () => {
  const app = await startApp();
  const refused = new Set<string>();
  const busy = await openReceiver(({ body }) => {
    if (body.event_type !== 'payment_completed' || refused.has(body.event_id)) return 200;
    refused.add(body.event_id);
    return 500;
  });
  const far = await openReceiver();
  const events = ['payment_pending', 'payment_completed', 'payment_failed', 'payment_abandoned'];
  const listen = async ({ url }: Receiver) =>
    (await app.api<{ id: string }>('POST', '/webhook-endpoints', { body: { url, events } })).body.data.id;
  await listen(busy);
  const chaos = { delay: 100, delay_seconds: hour };
  await app.api('PUT', `/test/webhook-endpoints/${await listen(far)}/chaos`, { body: chaos });

  async function play(reference: string, wish?: object): Promise<void> {
    const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
    await app.api('PUT', '/payment/create', { body });
    if (wish) await app.api('POST', `/test/payments/${reference}/simulate`, { body: wish });
  }
  async function advance(seconds: number): Promise<void> {
    const { status, text } = await app.api('POST', '/test/clock/advance', { body: { seconds } });
    expect([status, text]).toEqual([200, expect.any(String)]);
  }
  const heard = ({ received }: Receiver, reference: string): string[] =>
    received
      .filter(({ body }) => body.payment_reference === reference)
      .map(({ body }) => body.event_type.replace('payment_', ''));
  const firstTryOf = (reference: string, type: string) =>
    busy.next(
      ({ body }) => body.payment_reference === reference && body.event_type === `payment_${type}`,
      `${type} of ${reference}`,
    );

  await play('slow', { outcome: 'slow' });
  await play('paid', { outcome: 'success' });
  await play('waiting');
  await play('failing', { outcome: 'failure', delay_seconds: 5 * 60 });
  await firstTryOf('slow', 'pending');
  await firstTryOf('paid', 'completed');

  // The third confirmation comes after a minute, and so does the retry of the first webhook that was refused.
  await advance(70);
  expect(heard(busy, 'paid')).toEqual(['completed', 'completed']);
  await firstTryOf('slow', 'completed');
  expect(heard(busy, 'waiting')).toEqual([]);

  // The failure was to come after five minutes, the deadlines after ten.
  await advance(600);
  await firstTryOf('failing', 'failed');
  await firstTryOf('waiting', 'abandoned');
  expect(heard(busy, 'slow')).toEqual(['pending', 'completed', 'completed']);
  expect(far.received).toEqual([]);

  // All this while chaos held everything back from the other endpoint.
  await advance(hour);
  await advance(hour);
  expect(heard(far, 'slow').sort()).toEqual(['completed', 'pending']);
  expect(heard(far, 'paid')).toEqual(['completed']);
  expect(heard(far, 'failing')).toEqual(['failed']);
  expect(heard(far, 'waiting')).toEqual(['abandoned']);
  await busy.close();
  await far.close();
});
