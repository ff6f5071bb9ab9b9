import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { type Database, openDatabase, transaction } from '../kit/db/db.ts';
import { assertDirect } from '../kit/db/direct.ts';
import { changeableTables, grantServing } from '../kit/db/grants.ts';
import { lockMigrations, type Migration, migrateWithin } from '../kit/db/migrate.ts';
import { newClient } from '../kit/db/primary.ts';
import { codeOf } from '../kit/db/system-errors.ts';
import {
  connectEmbedded,
  type EmbeddedOptions,
  servingConnection,
  startEmbedded,
} from '../kit/postgres/embedded-postgres.ts';
import { keptTables } from './kept-tables.ts';
import { assertServed } from './moves/moves.ts';

export type DatabaseServer = {
  /** Connects as the role that owns the tables: for migrations and commands. */
  owner: pg.PoolConfig;
  /** Connects as the serving role. */
  serving: pg.PoolConfig;
  /** Whether it is a server of the operator's own: there may be a pooler in between. */
  isExternal: boolean;
  stop(): Promise<void>;
};

type Options = Pick<EmbeddedOptions, 'log' | 'onExit' | 'settings'>;

const notOurs = async (): Promise<void> => {};

/** Opens the gateway's database: `DATABASE_URL`, or the embedded server, which this process then holds. */
export async function openServer(config: Config, options: Options): Promise<DatabaseServer> {
  if (config.database.kind === 'external') {
    const { url, ownerUrl } = config.database;
    const serving = { connectionString: url };
    const owner = ownerUrl ? { connectionString: ownerUrl } : serving;
    return { owner, serving, isExternal: true, stop: notOurs };
  }
  const archives = config.backups?.isWalKept ?? false;
  const { connection, stop } = await startEmbedded({ dataDir: config.dataDir, archives, ...options });
  return { owner: connection, serving: servingConnection(connection), isExternal: false, stop };
}

/** The same for a command: it uses the embedded server that runs, or else starts one. */
export async function joinServer(config: Config, options: Options): Promise<DatabaseServer> {
  const running = config.database.kind === 'embedded' ? await connectEmbedded(config.dataDir) : null;
  if (!running) return await openServer(config, options);
  return { owner: running, serving: servingConnection(running), isExternal: false, stop: notOurs };
}

/** The name of the serving role; null where it is the owner itself. */
export function servingRole({ owner, serving }: Pick<DatabaseServer, 'owner' | 'serving'>): string | null {
  const [ownerName, name] = [owner, serving].map((connection) => newClient(connection).user);
  return name === undefined || name === ownerName ? null : name;
}

/**
 * Applies the missing migrations and grants the serving role its rights on all tables, in one transaction. Returns the
 * names of the migrations that it applied. Rejects with a lock timeout while another program keeps a table: to be tried again.
 * Throws NotServed where the data were moved to another database.
 */
export async function migrateFor(
  db: Database,
  migrations: Migration[],
  role: string | null,
): Promise<string[]> {
  try {
    return await transaction(db, async (tx) => {
      // The lock first: a move holds it until the mark is written.
      await lockMigrations(tx);
      await assertServed(tx);
      const applied = await migrateWithin(tx, migrations);
      if (role !== null) await grantServing(tx, role, keptTables);
      return applied;
    });
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    const { message } = error as Error;
    throw new Error(
      `The tables cannot be brought up to date: ${message}. MIGRATE_DATABASE_URL must be their owner.`,
    );
  }
}

/** A warning where the serving role could rewrite kept tables, with what to do; null where it cannot. */
export async function roleWarning(db: Database): Promise<string | null> {
  const tables = await changeableTables(db, keptTables);
  if (tables.length === 0) return null;
  return (
    `The role of DATABASE_URL can rewrite ${tables.join(', ')}. Give it to a role that owns nothing, and the owner to ` +
    'MIGRATE_DATABASE_URL: docs/operations.md has the statements.'
  );
}

/** Throws PoolerBetween where there is a pooler between this program and an external server. */
export async function assertReachedDirectly({ owner, serving, isExternal }: DatabaseServer): Promise<void> {
  if (!isExternal) return;
  await assertDirect(serving, 'DATABASE_URL');
  if (owner !== serving) await assertDirect(owner, 'MIGRATE_DATABASE_URL');
}

/** Runs `work` on a pool of the owner, which is closed afterwards. Throws PoolerBetween where a pooler is in between. */
export async function asOwner<T>(server: DatabaseServer, work: (db: Database) => Promise<T>): Promise<T> {
  await assertReachedDirectly(server);
  const db = openDatabase(server.owner, 1);
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}
