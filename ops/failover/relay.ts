import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands before one port of a node, so that it can be cut off from all others. */
export type Relay = {
  /** From now on nothing passes, and nobody is told: connections stay open, new ones are taken and hear nothing. */
  cut(): void;
  /** New connections pass again; those that were cut end. */
  join(): void;
  close(): Promise<void>;
};

/** Passes what comes to `port` of the loopback address on to `target`. */
export async function openRelay(port: number, target: number): Promise<Relay> {
  const pairs = new Set<Socket[]>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.on('error', () => {});
      pairs.add([client]);
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    const pair = [client, upstream];
    pairs.add(pair);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay();
      one.on('data', (bytes) => {
        if (!isCut) other.write(bytes);
      });
      one.on('error', () => {});
      // While it is cut off, neither side learns that the other has ended.
      one.on('close', () => {
        if (isCut) return;
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  function endAll(): void {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
    pairs.clear();
  }

  return {
    cut() {
      isCut = true;
    },
    join() {
      endAll();
      isCut = false;
    },
    async close() {
      isCut = false;
      server.close();
      endAll();
      await once(server, 'close');
    },
  };
}
