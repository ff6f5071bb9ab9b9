import express from '../../../../../examples/receivers/src/express.ts?raw';
import fastify from '../../../../../examples/receivers/src/fastify.ts?raw';
import hono from '../../../../../examples/receivers/src/hono.ts?raw';
import next from '../../../../../examples/receivers/src/next.ts?raw';
import orders from '../../../../../examples/receivers/src/orders.ts?raw';
import secrets from '../../../../../examples/receivers/src/secrets.ts?raw';
import type { Framework } from './search.ts';

/** The files of the example receivers, as the tests run them. */
export const receivers: Record<Framework, { label: string; file: string; text: string }> = {
  express: { label: 'Express', file: 'webhook.ts', text: express },
  fastify: { label: 'Fastify', file: 'webhook.ts', text: fastify },
  hono: { label: 'Hono', file: 'webhook.ts', text: hono },
  next: { label: 'Next.js', file: 'app/api/webhooks/florin/route.ts', text: next },
};

/** What every receiver shares: what an event does to an order, and the secrets. */
export const sharedFiles: readonly { file: string; text: string }[] = [
  { file: 'orders.ts', text: orders },
  { file: 'secrets.ts', text: secrets },
];
