import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { PaymentEvent, PaymentInput } from '@florin/sdk';

/** What the shop and the stand-in share. */
export const secrets = {
  secretKey: 'sk_test_0123456789abcdefghijABCDEFGHIJ01',
  webhookSecret: `whsec_${Buffer.from('the secret of the endpoint in tests').toString('base64')}`,
};

/** The same for live payments. */
export const liveSecrets = {
  secretKey: 'sk_live_0123456789abcdefghijABCDEFGHIJ02',
  webhookSecret: `whsec_${Buffer.from('the secret of the live endpoint in tests').toString('base64')}`,
};

/** A create call as it came, with the reference it was given. */
export type Created = PaymentInput & { id: string; reference: string; idempotencyKey: string; key: string };

/**
 * A gateway as far as the shop can see one: it answers the create call as contract.md has it, shows a payment page,
 * and signs webhooks. `down` makes it answer 503.
 */
export async function startGateway() {
  const created: Created[] = [];
  /** `destinationsOf`: what it answers on the addresses of a payment. */
  const state = { down: false, destinationsOf: (_: Created): object[] => [] };
  const server = createServer(async (request, response) => {
    const asked = created.find(({ reference }) => request.url === `/payments/${reference}/destinations`);
    if (asked) {
      response.setHeader('Content-Type', 'application/json');
      return response.end(
        JSON.stringify({ message: 'Destinations', data: { items: state.destinationsOf(asked) } }),
      );
    }
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'text/html');
      return response.end('<title>Payment page</title><h1>Pay here</h1>');
    }
    const key = `${request.headers.authorization}`.replace('Bearer ', '');
    const authorized = [secrets, liveSecrets].some(({ secretKey }) => secretKey === key);
    const status = state.down ? 503 : authorized && request.url === '/payment/create' ? 200 : 401;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    if (status !== 200) return response.end(`{"message":"Refused","data":null,"code":1,"error":"refused"}`);

    const input = (await json(request)) as PaymentInput;
    const idempotencyKey = String(request.headers['idempotency-key']);
    const twin = created.find((payment) => payment.idempotencyKey === idempotencyKey);
    const reference = twin?.reference ?? `PAY_${randomUUID()}`;
    const id = twin?.id ?? randomUUID();
    if (!twin) created.push({ ...input, id, reference, idempotencyKey, key });
    const { amount, currency } = input;
    const PaymentData = { id, payment_reference: reference, amount, currency, payment_status: 'unlinked' };
    const PaymentURL = `${url}/pay?reference=${reference}&app=a&token=t`;
    response.end(JSON.stringify({ message: 'Payment created', data: { PaymentData, PaymentURL } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => void server.close().closeAllConnections();
  return { url, created, state, close };
}

/** An event on its way, of a type that need not be known. */
export type SentEvent = Omit<PaymentEvent, 'event_type'> & { event_type: string };

/** The event that a payment's end would cause; `change` overrides any field. */
export function eventOf(payment: Created, type: string, change: Partial<SentEvent> = {}): SentEvent {
  const { reference, amount, currency } = payment;
  return {
    event_id: randomUUID(),
    payment_id: randomUUID(),
    currency: currency ?? 'USDC',
    amount: amount ?? 0,
    payment_reference: reference,
    payment_status: type === 'payment_completed' ? 'completed' : 'failed',
    service_fee: 0,
    customer_email: '',
    customer_reference: '',
    integration_id: randomUUID(),
    event_type: type,
    timestamp: Math.floor(Date.now() / 1000),
    ...change,
  };
}

/** A webhook request for `event`, signed both ways by hand. */
export function signWebhook(event: SentEvent, { secretKey, webhookSecret } = secrets) {
  const body = JSON.stringify(event);
  const keyBytes = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
  const timestamp = Math.floor(Date.now() / 1000);
  const hmac = (key: string | Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest('base64');
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Signature': hmac(secretKey, body),
    'X-Event-Id': event.event_id,
    'webhook-id': event.event_id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': `v1,${hmac(keyBytes, `${event.event_id}.${timestamp}.${body}`)}`,
  };
  return { method: 'POST', headers, body };
}
