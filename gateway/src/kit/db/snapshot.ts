import type { Database, Reader } from './db.ts';

/** The database as it was at one moment, for a reader that needs many statements. */
export type Snapshot = {
  reader: Reader;
  /** Returns the connection to the pool. Must be called after reading, also after an error. */
  close(): Promise<void>;
};

/**
 * Opens a snapshot on a connection of its own. It ends when nothing is read for `idleMs` (0: never), since an open
 * snapshot keeps the database from removing old rows.
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
