import type { Database } from '../../src/kit/db/db.ts';

type Wire = {
  on(event: 'readyForQuery', listener: () => void): void;
  off(event: 'readyForQuery', listener: () => void): void;
};

/** How often the server said during `work` that it is ready for the next packet; the pool has a single connection. */
export async function roundTrips(pool: Database, work: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  client.release();
  const { connection } = client as unknown as { connection: Wire };
  let count = 0;
  const note = (): void => {
    count += 1;
  };
  connection.on('readyForQuery', note);
  try {
    await work();
  } finally {
    connection.off('readyForQuery', note);
  }
  return count;
}
