import type { Database, Reader } from './db.ts';

/** The database as it was at one moment, for reading in many steps. */
export type Snapshot = {
  reader: Reader;
  /** Gives the connection back; to be called once reading has ended, however it did. */
  close(): Promise<void>;
};

/**
 * Opens a snapshot on a connection of its own. Whoever reads nothing for `idleMs` loses it: an old snapshot
 * keeps the database from clearing up.
 */
export async function openSnapshot(db: Database, idleMs: number): Promise<Snapshot> {
  const client = await db.connect();
  let closing: Promise<void> | undefined;
  async function end(): Promise<void> {
    const broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(broken);
  }
  const close = (): Promise<void> => (closing ??= end());
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${idleMs}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { reader: client, close };
}
