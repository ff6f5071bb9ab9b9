import { createHmac, randomUUID } from 'node:crypto';
import type { PaymentEvent } from '@florin/sdk';
import { Webhook } from 'standardwebhooks';

/** The secrets of the receivers in tests. */
export const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
export const endpointSecret = `whsec_${Buffer.from('the secret of the endpoint in tests').toString('base64')}`;

/** An event of a payment, of a type that need not be known. */
export type SentEvent = Omit<PaymentEvent, 'event_type'> & { event_type: string };

export function eventOf(
  reference: string,
  type = 'payment_completed',
  change: Partial<SentEvent> = {},
): SentEvent {
  return {
    event_id: randomUUID(),
    payment_id: randomUUID(),
    currency: 'USDC',
    amount: 18.5,
    payment_reference: reference,
    payment_status: type === 'payment_completed' ? 'completed' : 'failed',
    service_fee: 0.185,
    customer_email: 'zoë@customers.example',
    customer_reference: '',
    integration_id: randomUUID(),
    event_type: type,
    timestamp: Math.floor(Date.now() / 1000),
    ...change,
  };
}

type Keys = { secretKey?: string; endpointSecret?: string; at?: Date };

/** A webhook as contract.md#webhooks has it, signed by Node's own HMAC and by the library of Standard Webhooks. */
export function signed(
  event: { event_id: string },
  keys: Keys = {},
): RequestInit & { headers: Record<string, string> } {
  const at = keys.at ?? new Date();
  const body = JSON.stringify(event);
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Signature': createHmac('sha256', keys.secretKey ?? secretKey)
        .update(body)
        .digest('base64'),
      'X-Event-Id': event.event_id,
      'X-Sequence': '1',
      'webhook-id': event.event_id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(keys.endpointSecret ?? endpointSecret).sign(event.event_id, at, body),
    },
    body,
  };
}

/** Sends it; gives the status and the text that came back. */
export async function deliver(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(url, request);
  return { status: response.status, text: await response.text() };
}
