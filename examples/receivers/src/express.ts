import { verifyWebhook, WebhookVerificationError } from '@florin/sdk';
import express, { type ErrorRequestHandler } from 'express';
import { orders } from './memory-store.ts';
import { applyEvent } from './orders.ts';
import { webhookSecrets } from './secrets.ts';

/** The receiver as an Express application. */
export const app = express();

// raw() stands on this route: an express.json() for all routes must come after it, or it takes the bytes away.
app.post('/webhook', express.raw({ type: 'application/json' }), async (request, response) => {
  const event = await verifyWebhook({ body: request.body, headers: request.headers, ...webhookSecrets() });
  response.send(await applyEvent(orders, event));
});

const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof WebhookVerificationError)) return next(error);
  // The gateway keeps this text: the delivery's page in the dashboard then says what was wrong.
  response.status(400).send(error.message);
};
app.use(refuse);
