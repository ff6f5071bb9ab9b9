import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '@florin/sdk';
import express from 'express';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { deliver, endpointSecret, eventOf, secretKey, signed } from './deliver.ts';

const secrets = { secretKey, endpointSecret };

/** The words of the refusal, or `accepted`. */
const verdictOf = (body: unknown, headers: Record<string, string | string[] | undefined>): Promise<string> =>
  verifyWebhook({ body: body as string, headers, ...secrets }).then(
    () => 'accepted',
    (error: { reason: string }) => error.reason,
  );

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
}

test('an express.json() before the route is told as a parsed body', async () => {
  const app = express();
  app.use(express.json());
  app.post('/webhook', express.raw({ type: 'application/json' }), async ({ body, headers }, response) => {
    response.send(await verdictOf(body, headers));
  });
  expect((await deliver(await listen(app), signed(eventOf('A')))).text).toBe('body_parsed');
});

test('no parser at all is told as a body that was not read', async () => {
  const app = express();
  app.post('/webhook', async ({ body, headers }, response) => {
    response.send(await verdictOf(body, headers));
  });
  expect((await deliver(await listen(app), signed(eventOf('A')))).text).toBe('body_missing');
});

test('a raw parser for another type of content is told as a body that was not read', async () => {
  const app = express();
  app.post('/webhook', express.raw(), async ({ body, headers }, response) => {
    response.send(await verdictOf(body, headers));
  });
  expect((await deliver(await listen(app), signed(eventOf('A')))).text).toBe('body_missing');
});

test('the parsed body of Fastify is told as such, also when it was written as JSON again', async () => {
  const app = Fastify();
  app.post('/webhook', async ({ body, headers }) => verdictOf(body, headers));
  app.post('/pretty', async ({ body, headers }) => verdictOf(JSON.stringify(body, null, 2), headers));
  await app.ready();
  const url = await listen(app.routing);
  expect((await deliver(url, signed(eventOf('A')))).text).toBe('body_parsed');
  expect((await deliver(url.replace('webhook', 'pretty'), signed(eventOf('A')))).text).toBe('body_parsed');
});
