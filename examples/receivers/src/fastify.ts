import { verifyWebhook, WebhookVerificationError } from '@florin/sdk';
import Fastify, { type FastifyInstance } from 'fastify';
import { orders } from './memory-store.ts';
import { applyEvent } from './orders.ts';
import { webhookSecrets } from './secrets.ts';

/** The receiver as a Fastify application. */
export const app = Fastify();

/** Inside a plugin of its own, so that the other routes still get their JSON parsed. */
async function webhooks(scope: FastifyInstance): Promise<void> {
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });

  scope.post<{ Body: Buffer }>('/webhook', async ({ body, headers }) =>
    applyEvent(orders, await verifyWebhook({ body, headers, ...webhookSecrets() })),
  );

  scope.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof WebhookVerificationError)) throw error;
    // The gateway keeps this text: the delivery's page in the dashboard then says what was wrong.
    return reply.code(400).send(error.message);
  });
}

app.register(webhooks);
