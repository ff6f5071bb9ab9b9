import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type VerifyWebhookInput, verifyWebhook } from '../src/verify-webhook.ts';

export const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
export const otherKey = 'sk_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz';
export const endpointSecret = `whsec_${Buffer.from('a secret of the endpoint').toString('base64')}`;
export const otherSecret = `whsec_${Buffer.from('the one that comes after').toString('base64')}`;
export const sentAt = new Date('2026-11-20T10:00:00Z');

export const event = {
  event_id: '0b8f8f4e-8f3a-4a57-9c3d-1f1f2c9f7a10',
  payment_id: '6a1d3f57-4f0e-4a7a-8c55-4b8a5a0b9c11',
  currency: 'USDC',
  amount: 18.5,
  payment_reference: 'PAY_1',
  payment_status: 'completed',
  service_fee: 0.185,
  customer_email: 'zoë@example.com',
  customer_reference: '',
  integration_id: '3c0f6d1e-70d5-4c7e-9a5a-6d3a1e1f2b12',
  event_type: 'payment_completed',
  timestamp: 1795168800,
} as const;
export const body = JSON.stringify(event);

/** X-Signature of a text. */
export function plain(key = secretKey, text = body): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

/** Headers as the gateway sends them, the standard ones made by an independent library. */
export function headersOf(signature = plain(), ...secrets: string[]) {
  const used = secrets.length > 0 ? secrets : [endpointSecret];
  return {
    'x-signature': signature,
    'x-event-id': event.event_id as string,
    'webhook-id': event.event_id as string,
    'webhook-timestamp': `${sentAt.getTime() / 1000}`,
    'webhook-signature': used
      .map((secret) => new Webhook(secret).sign(event.event_id, sentAt, body))
      .join(' '),
  };
}

/** A true webhook, and what it takes to verify it. */
export const both = { body, headers: headersOf(), secretKey, endpointSecret, now: sentAt };

/** `accepted`, or the reason of the refusal. */
export async function reasonOf(input: VerifyWebhookInput): Promise<string> {
  return (await refusalOf(input)).reason;
}

/** The refusal's reason and words. */
export async function refusalOf(input: VerifyWebhookInput): Promise<{ reason: string; message: string }> {
  return verifyWebhook(input).then(
    () => ({ reason: 'accepted', message: '' }),
    (error: { reason: string; message: string }) => error,
  );
}

export function after(seconds: number): Date {
  return new Date(sentAt.getTime() + seconds * 1000);
}
