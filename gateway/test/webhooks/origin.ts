import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook at the moment at which it had come in whole; `at` in ms of performance.now(). */
export type Arrival = { raw: string; headers: IncomingHttpHeaders; at: number };

/** What to answer, and after how many ms; `hang`: nothing at all. */
export type Reply = { status: number; afterMs?: number } | 'hang';

export type Origin = {
  url: string;
  /** Answers 200 to all that was left hanging. */
  release(): void;
  close(): Promise<void>;
};

/** A merchant's server on a port of its own, which answers each webhook what `reply` says of it. */
export async function openOrigin(reply: (arrival: Arrival) => Reply): Promise<Origin> {
  let hanging: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => {
      const said = reply({
        raw: Buffer.concat(parts).toString('utf8'),
        headers: request.headers,
        at: performance.now(),
      });
      if (said === 'hang') {
        hanging.push(response);
        return;
      }
      const answer = () => response.writeHead(said.status).end();
      if (said.afterMs) setTimeout(answer, said.afterMs);
      else answer();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    release() {
      for (const response of hanging) response.end();
      hanging = [];
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
