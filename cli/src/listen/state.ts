import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredEvent } from '@florin/sdk';
import { earlier } from '../clock.ts';

/** The id of an event, and when it happened. */
type Occurrence = Pick<StoredEvent, 'event_id' | 'created_at'>;

/** Which events were shown, kept on disk so that a listener can continue where it ended. */
export type ListenState = {
  /** The time from which events are shown; null before the first listening. */
  since(): string | null;
  /** Whether the event is still to be shown. */
  wants(event: Occurrence): boolean;
  /** Starts again from a time: events since then are shown, except those that are known. */
  begin(since: string, known: readonly Occurrence[]): void;
  /** Records that an event was shown. */
  add(event: Occurrence): void;
  close(): void;
};

/**
 * A transaction that began earlier may commit later, and its event appears among older ones. For this long shown events
 * are known by their ids; older events count as shown.
 */
export const overlapMs = 120_000;
/** Old ids are deleted in batches, and not with every event. */
const strideMs = 30_000;

const schema = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS position (since TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS seen (event_id TEXT PRIMARY KEY, created_at TEXT NOT NULL) STRICT;
  BEGIN IMMEDIATE;
  COMMIT;`;

/**
 * Opens the state in a file, which is made if there is none, and locks it until it is closed or the process ends.
 * Throws when another listener holds it, and when the file is something else.
 */
export function openState(file: string): ListenState {
  const db = openFile(file);
  let since = (db.prepare('SELECT since FROM position').get()?.since as string | undefined) ?? null;
  const find = db.prepare('SELECT 1 FROM seen WHERE event_id = ?');
  const insert = db.prepare('INSERT OR IGNORE INTO seen (event_id, created_at) VALUES (?, ?)');
  const moveTo = db.prepare('UPDATE position SET since = ?');
  const forget = db.prepare('DELETE FROM seen WHERE created_at < ?');

  function atomically(work: () => void): void {
    db.exec('BEGIN');
    work();
    db.exec('COMMIT');
  }

  return {
    since: () => since,
    wants: ({ event_id, created_at }) =>
      since !== null && created_at >= since && find.get(event_id) === undefined,
    begin(from, known) {
      atomically(() => {
        db.exec('DELETE FROM position; DELETE FROM seen');
        db.prepare('INSERT INTO position (since) VALUES (?)').run(from);
        for (const { event_id, created_at } of known) insert.run(event_id, created_at);
      });
      since = from;
    },
    add({ event_id, created_at }) {
      insert.run(event_id, created_at);
      if (since !== null && earlier(created_at, overlapMs + strideMs) < since) return;
      const from = earlier(created_at, overlapMs);
      atomically(() => {
        moveTo.run(from);
        forget.run(from);
      });
      since = from;
    },
    close: () => db.close(),
  };
}

const busy = 5;
const notADatabase = 26;

function openFile(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const db = new DatabaseSync(file);
    db.exec(schema);
    return db;
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    if (errcode === busy) {
      throw new Error(`another florin listen uses ${file}: end it, or use another --state`);
    }
    if (errcode === notADatabase)
      throw new Error(`${file} is not a state of florin listen: use another --state`);
    throw error;
  }
}

/** The default file of the state: one for each gateway, key and target. */
export function stateFile(
  { url, secretKey, mode }: { url: string; secretKey: string; mode: string },
  target: string | null,
  env: NodeJS.ProcessEnv,
): string {
  const home = env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const what = createHash('sha256')
    .update([url, secretKey, target ?? ''].join('\n'))
    .digest('hex');
  return join(home, 'florin', `listen-${mode}-${what.slice(0, 16)}.sqlite`);
}
