import type { PaymentInput } from '@florin/sdk';
import type { Context } from '../merchant/context.ts';
import { answerOf } from '../merchant/delivery-text.ts';
import { readPaymentInput } from '../merchant/payment-input.ts';
import type { KnownEvent } from '../merchant/words.ts';
import { plain, tinted, toneOf } from '../output/text.ts';
import { ways } from './ways.ts';
import { type Triggered, whatCame } from './what-came.ts';

const usual: PaymentInput = { amount: 25, currency: 'USDC', payment_type: 'deposit' };

/** Makes a test payment that causes the event. Returns the exit code. */
export async function trigger(
  { client, show, mode }: Context,
  type: KnownEvent,
  fields: readonly string[],
): Promise<number> {
  const way = ways[type];
  if ('why' in way) throw new Error(`${type} cannot be triggered: ${way.why}`);
  const created = await client.payments.create(readPaymentInput(fields, usual));
  await way.play(client, created);
  const { payment_reference, created_at } = created.PaymentData;
  const events = await whatCame(client, payment_reference, created_at);
  const data = { payment_reference, PaymentURL: created.PaymentURL, events };
  await show.one(data, () => textOf(created.PaymentData, mode, events));
  return events.some(({ event_type }) => event_type === type) ? 0 : 1;
}

type PaymentData = { payment_reference: string; amount: number; currency: string };

function textOf(
  { payment_reference, amount, currency }: PaymentData,
  mode: string,
  events: Triggered[],
): string {
  const lines = events.flatMap(({ event_type, event_id, deliveries }) => [
    `${tinted(event_type, 'strong')}  ${event_id}`,
    ...(deliveries.length === 0
      ? ['  sent to no endpoint: none gets this type; florin listen shows it']
      : []),
    ...deliveries.map((delivery) => {
      const answer = delivery.attempts.length === 0 ? 'not tried yet' : answerOf(delivery);
      return `  to ${plain(delivery.url)}  ${tinted(plain(answer), toneOf(delivery.status))}`;
    }),
  ]);
  return [`Made the ${mode} payment ${payment_reference} of ${amount} ${currency}`, ...lines, ''].join('\n');
}
