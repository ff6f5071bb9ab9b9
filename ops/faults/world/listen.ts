import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ends } from '../../stories/tools.ts';

/** Has a server listen on a free port of the loopback address, which it returns. */
export async function listen(server: Server, ends: Ends): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
