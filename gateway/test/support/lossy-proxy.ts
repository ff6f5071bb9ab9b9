import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

export type LossyProxy = {
  /** Reaches the database through the proxy. */
  connection: pg.PoolConfig;
  /** Breaks the connection at the next COMMIT: before it gets there, or before its reply gets back. */
  loseNextCommit(what: 'request' | 'reply'): void;
  /** From now on nothing passes on the connections that are open, not even their ends, and nobody is told; new ones work. */
  cutSilently(): void;
  /** The same, and new ones are taken and hear nothing either, as of a server that stands still. */
  standStill(): void;
  /** What was sent on such connections since. */
  lost(): string;
  /** How many connections are open, at the side of the client. */
  open(): number;
  close(): Promise<void>;
};

/** Stands between a pool and its server, and loses what a network may lose at the worst moment. */
export async function startLossyProxy(target: pg.PoolConfig): Promise<LossyProxy> {
  let losing: 'request' | 'reply' | null = null;
  const clients = new Set<Socket>();
  const sockets = new Set<Socket>();
  let silent = new Set<Socket>();
  let lost = '';
  let isStill = false;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isStill) silent.add(client);
    const path = join(target.host!, `.s.PGSQL.${target.port}`);
    const upstream = connect({ path, allowHalfOpen: true });
    let dropReply = false;
    clients.add(client);
    sockets.add(client);
    client.on('end', () => {
      clients.delete(client);
      if (!silent.has(client)) upstream.end();
    });
    upstream.on('end', () => {
      if (!silent.has(client)) client.end();
    });
    client.on('data', (chunk) => {
      if (silent.has(client)) {
        lost += chunk.toString('latin1');
        return;
      }
      if (losing === null || !chunk.includes('COMMIT')) {
        upstream.write(chunk);
        return;
      }
      if (losing === 'request') client.destroy();
      else upstream.write(chunk);
      dropReply = losing === 'reply';
      losing = null;
    });
    upstream.on('data', (chunk) => {
      if (silent.has(client)) return;
      if (dropReply) client.destroy();
      else client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
    client.on('close', () => {
      clients.delete(client);
      sockets.delete(client);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    connection: { ...target, host: '127.0.0.1', port },
    loseNextCommit(what) {
      losing = what;
    },
    cutSilently() {
      silent = new Set(clients);
      lost = '';
    },
    standStill() {
      isStill = true;
      silent = new Set(clients);
    },
    lost: () => lost,
    open: () => clients.size,
    async close() {
      for (const client of sockets) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
