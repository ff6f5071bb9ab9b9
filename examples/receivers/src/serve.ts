import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';

/** The frameworks there is an example of. */
export const frameworks = ['express', 'fastify', 'hono', 'next'] as const;
export type Framework = (typeof frameworks)[number];

/** A receiver that listens; `url` is where webhooks go. */
export type RunningReceiver = { url: string; close(): Promise<void> };

/** Starts one of the examples on 127.0.0.1; a port of 0 takes a free one. */
export async function serveReceiver(framework: Framework, port = 0): Promise<RunningReceiver> {
  const server = await serverOf(framework);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serverOf(framework: Framework): Promise<Server> {
  switch (framework) {
    case 'express':
      return createServer((await import('./express.ts')).app);
    case 'fastify': {
      const { app } = await import('./fastify.ts');
      await app.ready();
      return createServer(app.routing);
    }
    case 'hono':
      return createAdaptorServer({ fetch: (await import('./hono.ts')).app.fetch }) as Server;
    case 'next': {
      const { POST } = await import('./next.ts');
      // Next.js itself answers other methods so.
      const handle = (request: Request) =>
        request.method === 'POST' ? POST(request) : new Response(null, { status: 405 });
      return createAdaptorServer({ fetch: handle }) as Server;
    }
  }
}
