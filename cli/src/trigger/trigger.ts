import type { PaymentInput, StoredEvent } from '@florin/sdk';
import { isFlorinError } from '../explain.ts';
import type { Context } from '../merchant/context.ts';
import { answerOf } from '../merchant/delivery-text.ts';
import { readPaymentInput } from '../merchant/payment-input.ts';
import type { KnownEvent } from '../merchant/words.ts';
import { plain, tinted, toneOf } from '../output/text.ts';
import { orderTestPayout } from './payout.ts';
import { type Triggered, triggeredEvents } from './triggered-events.ts';
import { testAddress, type Way, ways } from './ways.ts';

const usual: PaymentInput = { amount: 25, currency: 'USDC', payment_type: 'deposit' };

/** The new payment or payout: its data for --json, a text that names it, and which events are its own. */
type Made = { data: object; words: string; at: string; isOwn: (event: StoredEvent) => boolean };

/** Makes a test payment or a test payout that causes the event. Returns the exit code. */
export async function trigger(
  context: Context,
  type: KnownEvent,
  fields: readonly string[],
): Promise<number> {
  const way = ways[type];
  if ('why' in way) throw new Error(`${type} cannot be triggered: ${way.why}`);
  try {
    const { data, words, at, isOwn } = await make(context, way, fields);
    const events = await triggeredEvents(context.client, at, isOwn);
    await context.show.one({ ...data, events }, () => textOf(words, events));
    return events.some(({ event_type }) => event_type === type) ? 0 : 1;
  } catch (error) {
    if (way.rights === undefined || !isFlorinError(error) || error.slug !== 'action_not_allowed') throw error;
    const rights = way.rights.map((right) => `“${right}”`).join(', ');
    throw new Error(`${error.message}.
${type} takes a key that names ${rights}. The dashboard makes one under Settings, Keys;
in the directory of a demo, florin finds the demo's own`);
  }
}

async function make(
  { client, money }: Context,
  way: Exclude<Way, { why: string }>,
  fields: readonly string[],
): Promise<Made> {
  if ('payout' in way) {
    const payout = await orderTestPayout(money, way.to ?? testAddress, fields);
    await way.payout({ client, money }, payout);
    const { id, payout_reference, amount, asset, created_at: at } = payout;
    return {
      data: { payout_id: id, payout_reference },
      words: `payout ${id} of ${amount} ${asset}`,
      at,
      isOwn: ({ body }) => (JSON.parse(body) as { payout_id?: string }).payout_id === id,
    };
  }
  const created = await client.payments.create(readPaymentInput(fields, usual));
  await way.payment({ client, money }, created);
  const { PaymentURL, PaymentData } = created;
  const { payment_reference, amount, currency, created_at: at } = PaymentData;
  return {
    data: { payment_reference, PaymentURL },
    words: `payment ${payment_reference} of ${amount} ${currency}`,
    at,
    isOwn: (event) => event.payment_reference === payment_reference,
  };
}

function textOf(words: string, events: Triggered[]): string {
  const lines = events.flatMap(({ event_type, event_id, deliveries }) => [
    `${tinted(event_type, 'strong')}  ${event_id}`,
    ...(deliveries === null ? ['  this key may not see to which endpoints it was sent'] : []),
    ...(deliveries?.length === 0
      ? ['  sent to no endpoint: none gets this type; florin listen shows it']
      : []),
    ...(deliveries ?? []).map((delivery) => {
      const answer = delivery.attempts.length === 0 ? 'not tried yet' : answerOf(delivery);
      return `  to ${plain(delivery.url)}  ${tinted(plain(answer), toneOf(delivery.status))}`;
    }),
  ]);
  return [`Made the test ${words}`, ...lines, ''].join('\n');
}
