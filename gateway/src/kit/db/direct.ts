import type pg from 'pg';
import { type Database, openDatabase } from './db.ts';
import { oneRow } from './one-row.ts';
import { codeOf } from './system-errors.ts';

/** A pooler between this program and PostgreSQL gives a connection of the server to several of ours in turn. */
export class PoolerBetween extends Error {
  constructor(setting: string, why: string) {
    super(
      `${setting} leads to a connection pooler such as PgBouncer (${why}). Florin keeps connections with settings, prepared ` +
        `statements and LISTEN of their own, which a pooler loses: give ${setting} the address of PostgreSQL itself.`,
    );
    this.name = 'PoolerBetween';
  }
}

const tries = 3;

/** Throws PoolerBetween, which names the setting, where connections do not lead to PostgreSQL itself. It opens two. */
export async function assertDirect(connection: pg.PoolConfig, setting: string): Promise<void> {
  const pool = openDatabase(connection, 2);
  try {
    const why = await poolerSeen(pool);
    if (why !== null) throw new PoolerBetween(setting, why);
  } catch (error) {
    const { message } = error as Error;
    // PgBouncer's answer to settings that come with the connection, unless it was told to ignore them.
    const isRefused = codeOf(error) === '08P01' && message.includes('unsupported startup parameter');
    throw isRefused ? new PoolerBetween(setting, message) : error;
  } finally {
    await pool.end();
  }
}

async function poolerSeen(pool: Database): Promise<string | null> {
  const one = await pool.connect();
  try {
    const other = await pool.connect();
    try {
      const asked = await limitOf(one);
      if (asked.held !== asked.sent)
        return `statement_timeout is ${asked.held} ms, and not the ${asked.sent} ms that were asked for`;
      for (let n = 0; n < tries; n++) {
        if ((await processOf(one)) === (await processOf(other)))
          return 'two connections have one process of the server';
      }
      return null;
    } finally {
      other.release();
    }
  } finally {
    one.release();
  }
}

async function processOf(client: pg.ClientBase): Promise<number> {
  return oneRow(await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'), 'process').pid;
}

/** The time limit of the server's connection and the one that we sent, in milliseconds; the address may set it too. */
async function limitOf(client: pg.ClientBase): Promise<{ held: string; sent: string }> {
  const found = await client.query<{ setting: string }>(
    "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
  );
  const { connectionParameters } = client as unknown as {
    connectionParameters: { statement_timeout: unknown };
  };
  return { held: oneRow(found, 'limit').setting, sent: `${connectionParameters.statement_timeout}` };
}
