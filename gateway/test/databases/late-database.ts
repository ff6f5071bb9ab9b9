import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import { atFileEnd } from '../suite/endings.ts';

export type LateDatabase = {
  /** Reaches the database through the proxy. */
  connection: pg.PoolConfig;
  /** `silent`: it takes connections and answers nothing. */
  is: 'away' | 'silent' | 'there';
  /** The next connection that sends this text loses its answer, and the database is away from then on. */
  endsAt(text: string): void;
};

/** Stands before a database that is not there yet, or slow; it ends with the test file. */
export async function startLateDatabase(target: pg.PoolConfig): Promise<LateDatabase> {
  let last: string | null = null;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    if (database.is === 'away') return void client.destroy();
    if (database.is === 'silent') return;
    const upstream = connect(join(target.host ?? '', `.s.PGSQL.${target.port}`));
    let isLost = false;
    client.on('data', (chunk) => {
      upstream.write(chunk);
      if (last === null || !chunk.includes(last)) return;
      [last, isLost, database.is] = [null, true, 'away'];
    });
    upstream.on('data', (chunk) => {
      if (!isLost) return void client.write(chunk);
      // All other connections end too.
      for (const each of clients) each.destroy();
    });
    upstream.on('error', () => {});
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => {
    for (const client of clients) client.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const database: LateDatabase = {
    connection: { ...target, host: '127.0.0.1', port },
    is: 'there',
    endsAt(text) {
      last = text;
    },
  };
  return database;
}
