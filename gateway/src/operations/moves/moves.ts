import type { Reader, Tx } from '../../kit/db/db.ts';

/** What a database is in a move: a copy that is not confirmed, one that is, or the one that the data have left. */
type MoveState = 'arriving' | 'arrived' | 'left';

/** A move of all data to another database. Both have a row of it, with the same id. */
export type Move = {
  id: string;
  moved_at: Date;
  /** The address of a server without its password, or the data directory of an embedded one. */
  origin: string;
  target: string;
};

/** The move because of which a database is not served. */
export type Standing = Move & { state: Exclude<MoveState, 'arrived'> };

/** The data are in another database now, or are not confirmed here yet. The message says where they are and what to set. */
export class NotServed extends Error {
  constructor(standing: Standing) {
    super(standing.state === 'left' ? whereTo(standing) : unconfirmed(standing));
    this.name = 'NotServed';
  }
}

function whereTo({ target, moved_at }: Move): string {
  const [where, what] = isServer(target)
    ? [target, 'Set DATABASE_URL, and MIGRATE_DATABASE_URL if there is one, to that server']
    : [
        `the embedded database of ${target}`,
        'Remove DATABASE_URL and MIGRATE_DATABASE_URL, and set DATA_DIR to that directory',
      ];
  return (
    `The data of this database were moved to ${where} at ${moved_at.toISOString()}, and it is not served any more. ` +
    `${what}.`
  );
}

function unconfirmed({ origin, target }: Move): string {
  const from = isServer(origin) ? origin : `the embedded database of ${origin}`;
  const to = isServer(target) ? target : 'embedded';
  return (
    `This database holds a copy of ${from} whose move was not completed. ` +
    `Run florin database move --to ${to} again, with the settings of before.`
  );
}

const isServer = (place: string): boolean => /^postgres(ql)?:/.test(place);

/** The move because of which this database is not served; null: it is. A database of an earlier version has none. */
export async function standingOf(reader: Reader): Promise<Standing | null> {
  if (!(await keepsMoves(reader))) return null;
  const { rows } = await reader.query<Standing>(
    `SELECT id, moved_at, origin, target, state FROM database_moves WHERE state <> 'arrived'`,
  );
  return rows[0] ?? null;
}

/** Throws NotServed where the data are in another database (contract.md#moves). */
export async function assertServed(reader: Reader): Promise<void> {
  const standing = await standingOf(reader);
  if (standing !== null) throw new NotServed(standing);
}

async function keepsMoves(reader: Reader): Promise<boolean> {
  const { rowCount } = await reader.query("SELECT WHERE to_regclass('database_moves') IS NOT NULL");
  return rowCount === 1;
}

/** Whether the data of this database have gone through that move. */
export async function hasMove(reader: Reader, id: string): Promise<boolean> {
  const { rowCount } = await reader.query('SELECT FROM database_moves WHERE id = $1', [id]);
  return rowCount === 1;
}

/** Notes in a database what it is in a move. */
export async function noteMove(
  tx: Tx,
  { id, moved_at, origin, target }: Move,
  state: Standing['state'],
): Promise<void> {
  await tx.query(
    'INSERT INTO database_moves (id, moved_at, origin, target, state) VALUES ($1, $2, $3, $4, $5)',
    [id, moved_at, origin, target, state],
  );
}

/** Lets the copy be served. */
export async function noteArrival(tx: Tx, id: string): Promise<void> {
  await tx.query(`UPDATE database_moves SET state = 'arrived' WHERE id = $1 AND state = 'arriving'`, [id]);
}
