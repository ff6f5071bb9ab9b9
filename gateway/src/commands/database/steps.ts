import {
  type Database,
  isLockTimeout,
  openDatabase,
  type Reader,
  type Tx,
  transaction,
} from '../../kit/db/db.ts';
import { grantServing } from '../../kit/db/grants.ts';
import { assertNotNewer, lockMigrations, type Migration } from '../../kit/db/migrate.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { countOtherSessions } from '../../kit/db/other-sessions.ts';
import { loadBackup } from '../../operations/backup/load.ts';
import type { OnProgress } from '../../operations/backup/progress.ts';
import { holdTables, relationCount, settleSession, tablesOf } from '../../operations/backup/tables.ts';
import { asOwner, type DatabaseServer, migrateFor, servingRole } from '../../operations/database.ts';
import { keptTables } from '../../operations/kept-tables.ts';
import {
  assertServed,
  hasMove,
  type Move,
  NotServed,
  noteArrival,
  noteMove,
  type Standing,
  standingOf,
} from '../../operations/moves/moves.ts';
import { compareBooks } from '../backups/books.ts';
import { readLive } from '../backups/live.ts';
import { dropAll } from '../restoring/empty-database.ts';
import { readWhole } from './whole.ts';

/** A copy is committed, and compared next; the database that was left is closed, and the copy is opened next. */
export type Step = { name: 'copied'; tables: number; rows: number } | { name: 'left' };

export type Moving = {
  source: DatabaseServer;
  target: DatabaseServer;
  move: Move;
  migrations: Migration[];
  onProgress: OnProgress;
  onStep: (step: Step) => void;
};

/**
 * Moves all data into another database. At each moment at most one of the two can be served: the copy is committed as one that
 * is not confirmed, then compared; the old database is closed; then the copy is opened. Where it ended in between, it is called
 * again. Returns faults of the ledger and the hash chain that the old database has too. Throws where the target is not empty,
 * where something uses the old database, and where the copy differs; then the old one is served as before.
 */
export async function moveData(moving: Moving): Promise<{ findings: string[] }> {
  const { source, target, move, migrations, onStep } = moving;
  // One connection: another one of this process would count as somebody else's.
  const [old, fresh] = [openDatabase(source.owner, 1), openDatabase(target.owner, 2)];
  try {
    await assertNotNewer(old, migrations);
    const standing = await standingOf(old);
    if (standing !== null) return await complete(standing, fresh);
    await assertTakes(fresh, old, move);
    await migrateFor(old, migrations, servingRole(source));
    const findings = await transaction(old, async (tx) => {
      const found = await copyAlone(tx, fresh, moving);
      await close(tx, move);
      return found;
    });
    onStep({ name: 'left' });
    await open(fresh, move.id);
    return { findings };
  } finally {
    await old.end();
    await fresh.end();
  }
}

/** Opens the copy of a move that ended after the old database was closed. */
async function complete(standing: Standing, fresh: Database): Promise<{ findings: string[] }> {
  const there = await standingOf(fresh);
  if (standing.state !== 'left' || there?.id !== standing.id || there.state !== 'arriving')
    throw new NotServed(standing);
  await open(fresh, standing.id);
  return { findings: [] };
}

async function open(fresh: Database, id: string): Promise<void> {
  await transaction(fresh, async (tx) => {
    await tx.query('SET TRANSACTION READ WRITE');
    await noteArrival(tx, id);
  });
}

const lockTimeout = '30s';

/** Copies and compares, while nobody writes to the old database or starts on it until `tx` ends. Returns its faults. */
async function copyAlone(tx: Tx, fresh: Database, moving: Moving): Promise<string[]> {
  const { source, onStep } = moving;
  // Gateways, commands and other moves that start now wait here, and then look whether this database is served.
  await lockMigrations(tx);
  await assertServed(tx);
  await assertOwned(tx);
  await assertAlone(tx, servingRole(source));
  await tx.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
  await holdTables(tx, await tablesOf(tx), 'SHARE').catch((error: unknown) => {
    throw isLockTimeout(error) ? new Error(inUse('Another program writes')) : error;
  });
  await settleSession(tx);
  const live = await readLive(tx);
  onStep({ name: 'copied', ...(await transaction(fresh, (into) => load(tx, into, moving))) });
  const { findings } = await compareBooks(fresh, live);
  const known =
    findings.length === 0
      ? []
      : await asOwner(source, (db) => compareBooks(db, null)).then((all) => all.findings);
  const wrong = findings.filter((each) => !known.includes(each));
  if (wrong.length > 0)
    throw new Error(`The copy is not right, and the old database is served as before: ${wrong.join('; ')}`);
  await assertAlone(tx, servingRole(source));
  return findings;
}

async function load(from: Tx, into: Tx, { target, move, migrations, onProgress }: Moving) {
  // A database that was left is read-only unless a transaction says otherwise.
  await into.query('SET TRANSACTION READ WRITE');
  await lockMigrations(into);
  await assertTakes(into, from, move);
  if ((await relationCount(into)) > 0) await empty(into);
  const { tables } = await loadBackup(into, await readWhole(from), migrations, onProgress);
  await noteMove(into, move, 'arriving');
  const role = servingRole(target);
  if (role !== null) await grantServing(into, role, keptTables);
  return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
}

/**
 * Throws unless the data may be put there: into an empty database, into one that they have left before, and in place of a copy
 * that was never opened.
 */
async function assertTakes(fresh: Reader, old: Reader, { origin }: Move): Promise<void> {
  const count = await relationCount(fresh);
  if (count === 0) return;
  const standing = await standingOf(fresh);
  if (standing?.state === 'arriving' && standing.origin === origin) return;
  if (standing?.state === 'left' && (await hasMove(old, standing.id))) return;
  throw new Error(
    `The database to move to is not empty: it has ${count} tables and counters. ` +
      'Name a new one, or one that these data have left before. Nothing was changed.',
  );
}

/** Drops all that a database holds, and lets it be written to by default again. */
async function empty(tx: Tx): Promise<void> {
  await dropAll(tx);
  await tx.query(`ALTER DATABASE ${await databaseName(tx)} RESET default_transaction_read_only`);
}

/** Marks the old database. Connections that are opened later can only read, whichever program or version opens them. */
async function close(tx: Tx, move: Move): Promise<void> {
  await noteMove(tx, move, 'left');
  await tx.query(`ALTER DATABASE ${await databaseName(tx)} SET default_transaction_read_only = on`);
}

/** As it is written in a statement. */
async function databaseName(tx: Tx): Promise<string> {
  const found = await tx.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  return oneRow(found, 'name of the database').name;
}

/** Throws unless this role may close the database. */
async function assertOwned(tx: Tx): Promise<void> {
  const { owned, role, database } = oneRow(
    await tx.query<{ owned: boolean; role: string; database: string }>(
      `SELECT pg_has_role(datdba, 'USAGE') AS owned, quote_ident(current_user) AS role, quote_ident(datname) AS database
       FROM pg_database WHERE datname = current_database()`,
    ),
    'owner',
  );
  if (!owned)
    throw new Error(
      `The database that is left is closed at the end, which only its owner can: as a superuser, ALTER DATABASE ${database} OWNER TO ${role}`,
    );
}

/** Throws while others are connected as a role of Florin: a connection that is open could still write after the move. */
async function assertAlone(tx: Tx, role: string | null): Promise<void> {
  const others = await countOtherSessions(tx, role);
  if (others > 0) throw new Error(inUse(`${others} other connection${others === 1 ? ' is' : 's are'} open`));
}

function inUse(what: string): string {
  return `${what} in the database that is to be left: stop every gateway and every other program that uses it as Florin's role, then run this again`;
}
