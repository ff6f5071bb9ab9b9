import { verifyWebhook, WebhookVerificationError } from '@florin/sdk';
import { Hono } from 'hono';
import { orders } from './memory-store.ts';
import { applyEvent } from './orders.ts';
import { webhookSecrets } from './secrets.ts';

/** The receiver as a Hono application, for whatever runtime Hono runs on. */
export const app = new Hono();

app.post('/webhook', async (context) => {
  // arrayBuffer(), not json(): the signature is over the bytes.
  const body = await context.req.arrayBuffer();
  const { headers } = context.req.raw;
  const event = await verifyWebhook({ body, headers, ...webhookSecrets() });
  return context.text(await applyEvent(orders, event));
});

app.onError((error, context) => {
  // The gateway keeps this text: the delivery's page in the dashboard then says what was wrong.
  if (error instanceof WebhookVerificationError) return context.text(error.message, 400);
  console.error(error);
  return context.text('Internal error', 500);
});
