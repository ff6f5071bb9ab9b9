import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { after } from '../../kit/clock.ts';
import { codeOf } from '../../kit/db/system-errors.ts';
import { findCluster } from '../../kit/postgres/postgres-cluster.ts';
import { spoolOf } from '../../kit/postgres/wal-spool.ts';

/** A copy of the files of the database, which WAL is applied to. Times are ISO texts. */
export type BaseRecord = {
  /** Its folder in the place. */
  folder: string;
  run: string;
  /** The segment that a recovery from it begins with. */
  first_segment: string;
  started_at: string;
  ended_at: string;
  bytes: number;
};

/**
 * How far the archive of an embedded database is. A **run** is WAL without a gap, from one of its base backups on; where
 * something is missing, another run begins. Times are ISO texts.
 */
export type WalState = {
  /** The place without secrets. */
  place: string;
  run: string;
  /** The segment that the run begins with; null: there is none yet. */
  first: string | null;
  /** The newest segment of the run that was compressed and encrypted, and the newest one in the place. */
  packed: string | null;
  sent: string | null;
  /** Up to when the database can be recovered from the place; before the first time, since when it should. */
  kept_until: string;
  /** Of all runs of this database in this place, the oldest first. */
  bases: BaseRecord[];
  /** Earlier runs that have files in the place. */
  former_runs: string[];
  /** The folder of a base backup that is under way, or that a crash left; null: there is none. */
  making: string | null;
  fault: string | null;
  mailed_at: string | null;
};

type Home = { home: string };

function pathIn({ home }: Home): string {
  return join(home, 'wal-archive.json');
}

/** Whether the WAL of an installation goes to its place of backups: only that of an embedded database does. */
export function keepsWal({ database, backups }: Pick<Config, 'database' | 'backups'>): boolean {
  return database.kind === 'embedded' && backups !== null && backups.isWalKept;
}

/** Null: nothing was archived yet. */
export async function readWalState(home: Home): Promise<WalState | null> {
  try {
    return JSON.parse(await readFile(pathIn(home), 'utf8')) as WalState;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return null;
  }
}

/** Replaces the state; a crash leaves the old or the new one. */
export async function writeWalState(home: Home, state: WalState): Promise<void> {
  const path = pathIn(home);
  await writeFile(`${path}.part`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.part`, path);
}

/** The state in a process that changes it: what was changed last is kept last. */
export type KeptState = {
  /** Null: it was not read yet, or there is none. */
  get(): WalState | null;
  read(): Promise<WalState | null>;
  save(next: WalState): Promise<void>;
  change(by: Partial<WalState>): Promise<void>;
};

export function keptState(home: Home): KeptState {
  let state: WalState | null = null;
  let saving = Promise.resolve();
  async function save(next: WalState): Promise<void> {
    state = next;
    saving = saving.catch(() => {}).then(() => writeWalState(home, next));
    await saving;
  }
  return {
    get: () => state,
    async read() {
      state ??= await readWalState(home);
      return state;
    },
    save,
    async change(by) {
      if (state === null) throw new Error('The archive of WAL has not begun');
      await save({ ...state, ...by });
    },
  };
}

/** What lies in the spool, in bytes; 0 without one. */
export async function spoolBytes(home: Home): Promise<number> {
  const spool = spoolOf(home);
  const names = await readdir(spool).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(spool, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** An archive that is so far behind is a fault. */
const behindSeconds = 3_600;

/** What operators should look at: since when nothing is archived, and why; null: all is well. */
export type WalFault = { since: Date; why: string | null };

export function walFault(state: WalState, now: Date): WalFault | null {
  const since = new Date(state.kept_until);
  return after(since, behindSeconds) <= now ? { since, why: state.fault } : null;
}

/** The state of the archive of a data directory; null: nothing was archived there yet. */
export async function walStateOf(dataDir: string): Promise<(WalState & { spool_bytes: number }) | null> {
  const cluster = await findCluster(dataDir);
  const state = cluster ? await readWalState(cluster) : null;
  return cluster && state ? { ...state, spool_bytes: await spoolBytes(cluster) } : null;
}
