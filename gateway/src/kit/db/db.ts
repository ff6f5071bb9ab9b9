import pg from 'pg';
import { kitErrors, Refusal, refuse } from '../errors.ts';
import { type Sending, sendTransaction } from './packets.ts';
import { clientOf } from './primary.ts';
import { codeOf } from './system-errors.ts';

export type Database = pg.Pool;

/** What can read: the pool or an open transaction. */
export type Reader = Pick<pg.ClientBase, 'query'>;

declare const inTransaction: unique symbol;
/** An open transaction. Only `transaction()` makes one, so a write that takes it as a parameter runs in one. */
export type Tx = pg.ClientBase & { readonly [inTransaction]: true };

const int8 = 20;
const numeric = 1700;

// Every numeric column holds integer units, and counts must keep all digits: both are bigints in the code.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 || oid === numeric
      ? (text: string) => BigInt(text)
      : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
};

/** Longest wait for a row or key that another transaction holds. */
const lockTimeoutMs = 5_000;

// A plan that is made while a table is empty scans the whole table, and is used for a minute or more while the table grows.
// Measured on a new database: fund-user runs 17,600/s with this and 8,600/s without. Where only a scan is possible, a
// server before 18 counts it as very expensive and compiles it, which takes 250 ms: so jit is off.
const options = '-c enable_seqscan=off -c jit=off';

const timeLimits = {
  statement_timeout: 30_000,
  lock_timeout: lockTimeoutMs,
  idle_in_transaction_session_timeout: 30_000,
  connectionTimeoutMillis: 5_000,
  // Longest wait for an answer: longer than the server takes to end a statement, so that only its silence reaches it.
  query_timeout: 40_000,
};
/** How soon a connection that is idle, or waits, is asked for a sign of life; ten that are not answered end it. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * A pool of at most `max` connections. The server ends every statement after 30 s; a connection on which nothing is heard
 * for 40 s is given up, if `connection` sets no limits of its own. `liftTimeLimits` is for what takes longer. Of several
 * servers in its address the one that takes writes is used.
 */
export function openDatabase(connection: pg.PoolConfig, max = 20): Database {
  const settings = { ...timeLimits, ...connection };
  const pool = new pg.Pool({
    ...settings,
    ...clientOf(connection),
    ...keptAlive,
    max,
    types,
    application_name: 'florin',
    options: [options, connection.options ?? ''].join(' ').trim(),
  });
  // An idle connection that breaks is replaced at the next query. Without a listener its error would end the process.
  pool.on('error', () => {});
  // The same for one that breaks while it is in use; its query rejects with the error.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    Object.assign(client, { [ofPool]: pool });
  });
  pool.on('release', (_error, client) => setAnswerTimeout(client, settings.query_timeout ?? 0));
  const ask = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  pool.query = ((...args: unknown[]) => withFreshPlans(() => ask(...args))) as Database['query'];
  return pool;
}

/** Sets how long this connection waits for an answer until it is released; 0: for ever. */
export function setAnswerTimeout(connection: Reader, ms: number): void {
  // The driver's own setting, which it reads at each statement.
  const { connectionParameters } = connection as { connectionParameters?: { query_timeout: number } };
  if (connectionParameters) connectionParameters.query_timeout = ms;
}

/** Lets the statements of a transaction take as long as they need, at the server and here. */
export async function liftTimeLimits(tx: Reader): Promise<void> {
  setAnswerTimeout(tx, 0);
  await tx.query('SET LOCAL statement_timeout = 0');
}

const ofPool = Symbol('pool');

/** The pool of a connection or of an open transaction; a pool itself. */
export function poolOf(reader: Reader): object {
  return (reader as { [ofPool]?: object })[ofPool] ?? reader;
}

const commitHooks = new WeakMap<Tx, (() => void)[]>();
const sendings = new WeakMap<Tx, Sending>();

/** Runs `hook` after the transaction was committed; never when it was rolled back. */
export function afterCommit(tx: Tx, hook: () => void): void {
  commitHooks.get(tx)?.push(hook);
}

/** Runs `work` and undoes all that it wrote; its hooks for after the commit do not run. */
export async function rehearse<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const hooks = commitHooks.get(tx) ?? [];
  const own = hooks.length;
  await tx.query('SAVEPOINT rehearsal');
  try {
    return await work();
  } finally {
    await tx.query('ROLLBACK TO SAVEPOINT rehearsal');
    hooks.length = own;
  }
}

/** An object that belongs to this transaction alone. The Tx itself is a connection, which later transactions reuse. */
export function identityOf(tx: Tx): object {
  return commitHooks.get(tx) ?? {};
}

const serializationFailure = '40001';

/** Another transaction has changed what this one read: `transaction` runs its work again. */
export class Conflict extends Error {
  readonly code = serializationFailure;
}

const retriedStates = new Set([serializationFailure, '40P01']);
const maxTries = 4;
const retryPauseMs = 10;

/**
 * Runs `work` in one READ COMMITTED transaction, which is committed when `work` returns and rolled back when it throws.
 * After a deadlock or a serialization failure `work` runs again, so it must have no effect outside the database.
 */
export async function transaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await retried(() => once(db, work));
}

/**
 * The same for `work` that makes a single statement, which PostgreSQL commits by itself: two round trips fewer.
 * A second statement throws.
 */
export async function singleStatement<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await retried(() => onceAlone(db, work));
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withFreshPlans(run);
    } catch (error) {
      if (attempt === maxTries || !isConflict(error)) throw error;
      // A random pause, so that the same two transactions do not conflict again.
      await new Promise((resolve) => setTimeout(resolve, attempt * retryPauseMs * Math.random()));
    }
  }
}

/** More than the connections of a pool. */
const mostStale = 100;

/**
 * Runs again what was refused because another version has migrated a table since its connection prepared a statement. The
 * refusal ends the connection, so that each one of the pool is met once.
 */
async function withFreshPlans<T>(run: () => Promise<T>): Promise<T> {
  for (let stale = 0; ; stale++) {
    try {
      return await run();
    } catch (error) {
      if (stale === mostStale || !isStale(error)) throw error;
    }
  }
}

/** True for a prepared statement whose columns are others now. It had no effect. */
function isStale(error: unknown): error is Error {
  return (error as { routine?: string } | undefined)?.routine === 'RevalidateCachedQuery';
}

async function once<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await db.connect();
  const tx = client as unknown as Tx;
  const hooks: (() => void)[] = [];
  commitHooks.set(tx, hooks);
  const sending = sendTransaction(client);
  sendings.set(tx, sending);
  let broken: Error | undefined;
  let result: T;
  try {
    result = await work(tx);
    const command = await sending.commit();
    // PostgreSQL answers ROLLBACK when a statement failed and `work` went on as if it had not.
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back: an error of a statement was ignored');
  } catch (error) {
    // A server that is silent, or that cannot be written to any more, is not asked again.
    if (isBroken(error) || isStale(error)) broken = error;
    else if (sending.hasBegun())
      await client.query('ROLLBACK').catch((rollback: Error) => {
        broken = rollback;
      });
    throw error;
  } finally {
    commitHooks.delete(tx);
    sending.end();
    // A connection whose state is unknown is closed and not used again.
    client.release(broken);
  }
  for (const hook of hooks) hook();
  return result;
}

/**
 * Sends the statements that `ask` asks for in one packet: one round trip for statements that do not depend on each other's
 * answers. They run in their order; if one fails, those behind it are not executed and reject with its error. Returns the
 * answers, or rejects with a fault after all have ended.
 */
export async function together<Answers extends readonly unknown[]>(
  tx: Tx,
  ask: () => readonly [...{ [At in keyof Answers]: Promise<Answers[At]> }],
): Promise<Answers> {
  const sending = sendings.get(tx);
  const asked = sending ? sending.together(ask) : ask();
  await Promise.allSettled(asked);
  return (await Promise.all(asked)) as unknown as Answers;
}

/**
 * Sends what `ask` asks for in the packet of the COMMIT, behind everything else: for writes whose answers decide nothing. Where
 * one fails nothing is committed, and the transaction throws its error.
 */
export function withCommit(tx: Tx, ask: () => readonly Promise<unknown>[]): void {
  const sending = sendings.get(tx);
  if (!sending) throw new Error('A single statement has no COMMIT of its own');
  sending.last(() => void Promise.allSettled(ask()));
}

async function onceAlone<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  let used = false;
  const query = (...args: Parameters<Database['query']>) => {
    if (used) throw new Error('A second statement would not be in the transaction of the first');
    used = true;
    return db.query(...args);
  };
  const tx = { query, [ofPool]: db } as unknown as Tx;
  const hooks: (() => void)[] = [];
  commitHooks.set(tx, hooks);
  const result = await work(tx);
  for (const hook of hooks) hook();
  return result;
}

/** True when the statement broke a unique constraint (of that name, when given). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== '23505') return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

// Codes of the system, and SQLSTATE: the connection is broken or was ended by the server, its server follows another one
// since a failover (25006), or it was idle in its transaction for too long.
const broken =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|(HOST|NET)(UNREACH|DOWN))|ENOENT|08\w{3}|57P0[1235]|25006|25P0[34])$/;
const brokenOff =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/;
// The server has no connection, memory or disk left, or another transaction held a lock for too long.
const tooBusy = /^(53\w{3}|55P03)$/;
const queryCanceled = '57014';

/** True when the connection of the error cannot be used any more. */
function isBroken(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof Refusal) return false;
  return broken.test(codeOf(error)) || brokenOff.test(error.message);
}

/** True for a deadlock or a serialization failure: the transaction may be run again at once. */
export function isConflict(error: unknown): boolean {
  return retriedStates.has(codeOf(error));
}

/** True when the statement waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** True when the database was not reached, ended the connection or was too busy: the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  return isBroken(error) || (error instanceof Error && tooBusy.test(codeOf(error)));
}

/**
 * The refusal that a client gets for a temporary error of the database; other errors unchanged. For a client, conflicts
 * that outlasted all retries and a statement that took too long are temporary too.
 */
export function asRefusal(error: unknown): unknown {
  const isPassing = isUnavailable(error) || isConflict(error) || codeOf(error) === queryCanceled;
  return isPassing ? refuse(kitErrors.unavailable) : error;
}
