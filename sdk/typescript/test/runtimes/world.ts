import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { openReceiver } from '../../../../gateway/test/webhooks/receiver.ts';
import { createClient } from '../../src/index.ts';
import type { World } from './conformance.ts';

/** Prepares a gateway for the conformance program, whose webhooks may go to this machine; `close` ends what it opened. */
export async function openWorld(
  gatewayUrl: string,
  secretKey: string,
): Promise<World & { close(): Promise<void> }> {
  const client = createClient({ secretKey, baseUrl: gatewayUrl });
  const [receiver, lossy] = await Promise.all([openReceiver(), openLossy(gatewayUrl)]);
  const endpoint = await client.webhookEndpoints.create({ url: receiver.url });
  const { PaymentData } = await client.payments.create({
    amount: 25,
    currency: 'USDC',
    payment_type: 'deposit',
    customer_email: 'zoë@customers.example',
  });
  await client.test.simulate(PaymentData.payment_reference, 'success');
  const { raw, headers } = await receiver.next(
    ({ body }) => body.payment_reference === PaymentData.payment_reference,
    'The webhook',
  );
  await client.webhookEndpoints.delete(endpoint.id);
  await receiver.close();
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return {
    gatewayUrl,
    lossyUrl: lossy.url,
    secretKey,
    endpointSecret: endpoint.secret,
    webhook: { body: raw.toString('utf8'), headers: Object.fromEntries(texts) },
    close: lossy.close,
  };
}

/**
 * Hands every request on, but hangs up instead of giving the first answer to each Idempotency-Key. Below `/keyless` the
 * gateway does not even get to see that key.
 */
async function openLossy(target: string): Promise<{ url: string; close(): Promise<void> }> {
  const seen = new Set<unknown>([undefined]);
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    if (url.startsWith('/silence')) return;
    const key = headers['idempotency-key'];
    const isTold = key !== undefined && !url.startsWith('/keyless');
    const answer = await fetch(target + url.replace(/^\/keyless/, ''), {
      method,
      headers: {
        authorization: `${headers.authorization}`,
        'content-type': 'application/json',
        ...(isTold ? { 'idempotency-key': String(key) } : {}),
      },
      ...(body.length > 0 ? { body } : {}),
    });
    const text = await answer.text();
    if (!seen.has(key)) {
      seen.add(key);
      return void request.socket.destroy();
    }
    const replayed = answer.headers.get('idempotent-replayed') ?? 'false';
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'Idempotent-Replayed': replayed,
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
