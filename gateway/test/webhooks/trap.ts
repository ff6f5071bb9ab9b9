import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server at every address of this machine that counts who comes, and answers what `answer` says. */
export type Trap = { port: number; connections: number; answer: RequestListener; close(): void };

export async function openTrap(): Promise<Trap> {
  const server = createServer((request, response) => trap.answer(request, response));
  const trap: Trap = {
    port: 0,
    connections: 0,
    answer: (_, response) => void response.end('reached'),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  server.on('connection', () => {
    trap.connections++;
  });
  // Without an address that is every one of both kinds, or of IPv4 where there is no other.
  server.listen(0);
  await once(server, 'listening');
  trap.port = (server.address() as AddressInfo).port;
  return trap;
}
