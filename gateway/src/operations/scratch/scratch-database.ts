import type pg from 'pg';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { newClient } from '../../kit/db/primary.ts';
import { inDatabase } from '../../kit/db/servers.ts';
import { codeOf } from '../../kit/db/system-errors.ts';
import { randomBase62 } from '../../kit/ids.ts';

const lockKey = 706_771_004;
const connections = 4;

/** The role that owns the database may not make another one. */
export class MayNotMakeDatabases extends Error {
  constructor(role: string) {
    super(
      `A copy of the database needs a database of its own for a while, and the role ${role} may not make one: ` +
        `ALTER ROLE "${role}" CREATEDB, as a superuser of the server, allows it.`,
    );
    this.name = 'MayNotMakeDatabases';
  }
}

/**
 * Makes an empty database beside that of `owner`, on the same server and owned by the same role, runs `work` on it, and
 * drops it whatever happens. What a process that was killed left there is dropped by the next call. Its own name never
 * meets that of another installation on the server. Throws MayNotMakeDatabases where the role lacks the right.
 */
export async function withScratchDatabase<T>(
  owner: pg.PoolConfig,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  // Dropping a database waits for the disk.
  const live = openDatabase({ ...owner, statement_timeout: 0, query_timeout: 0 }, 1);
  try {
    const scratch = await open(live, owner);
    try {
      return await work(scratch.db);
    } finally {
      // First, since it also ends what may still run there.
      await live.query(`DROP DATABASE IF EXISTS ${scratch.name} WITH (FORCE)`);
      await scratch.guard.end().catch(() => {});
      await scratch.db.end();
    }
  } finally {
    await live.end();
  }
}

type Scratch = { name: string; db: Database; guard: pg.Client };

/** Drops what was left, and makes a new one, on which `guard` stays: one without any connection is nobody's. */
async function open(live: Database, owner: pg.PoolConfig): Promise<Scratch> {
  // Else another process could drop a new one before this process is on it.
  await live.query('SELECT pg_advisory_lock($1)', [lockKey]);
  try {
    const { oid, role } = oneRow(
      await live.query<{ oid: string; role: string }>(
        'SELECT oid::text, current_user::text AS role FROM pg_database WHERE datname = current_database()',
      ),
      'database',
    );
    const prefix = `florin_scratch_${oid}_`;
    await dropLeft(live, prefix);
    // Capitals would need quotes.
    const name = `${prefix}${randomBase62(12).toLowerCase()}`;
    await live.query(`CREATE DATABASE ${name} TEMPLATE template0`).catch((error: unknown) => {
      throw codeOf(error) === '42501' ? new MayNotMakeDatabases(role) : error;
    });
    // A crash of the server may lose a copy, so that its commits need not wait for the disk.
    await live.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    const { connectionString } = owner;
    const connection = connectionString
      ? { ...owner, connectionString: inDatabase(connectionString, name) }
      : { ...owner, database: name };
    const guard = newClient(connection);
    guard.on('error', () => {});
    await guard.connect();
    return { name, db: openDatabase(connection, connections), guard };
  } finally {
    await live.query('SELECT pg_advisory_unlock($1)', [lockKey]);
  }
}

async function dropLeft(live: Database, prefix: string): Promise<void> {
  const { rows } = await live.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database d WHERE starts_with(datname, $1)
       AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datid = d.oid AND a.backend_type = 'client backend')`,
    [prefix],
  );
  for (const { name } of rows) await live.query(`DROP DATABASE IF EXISTS ${name}`);
}
