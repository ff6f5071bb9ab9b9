import { type Database, type Tx, transaction } from './db.ts';

class RolledBack<T> extends Error {
  readonly data: T;
  constructor(data: T) {
    super('Rolled back');
    this.data = data;
  }
}

/** The result that a write would have; all of it is rolled back. */
export async function dryRun<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await transaction(db, async (tx) => {
      throw new RolledBack(await work(tx));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.data as T;
    throw error;
  }
}
