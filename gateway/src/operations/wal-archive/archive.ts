import { createReadStream } from 'node:fs';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import { randomBase62 } from '../../kit/ids.ts';
import type { Cluster } from '../../kit/postgres/postgres-cluster.ts';
import { openSpool, removeSpool, spoolOf } from '../../kit/postgres/wal-spool.ts';
import type { BackupPlace } from '../backup/places/place.ts';
import { type BaseRecord, keptState, spoolBytes, type WalState } from '../wal/state.ts';
import { isThere, packSpool } from './pack-spool.ts';
import { isSegment, nameOfPacked, segmentBytes } from './segments.ts';

/** The folders of a place: of base backups, and of WAL with a folder for each run. */
export const baseFolder = 'base';
export const walFolder = 'wal';

/** Other ones are for tests, whose segments are small. */
const usualTerms = {
  /** What the spool may have at most, and what the disk must have left for the database. */
  spoolBytes: 2 * 1024 ** 3,
  freeBytes: 512 * 1024 ** 2,
  segmentBytes,
  /** A place that failed is asked again after so long. */
  againMs: 30_000,
};
type ArchiveTerms = typeof usualTerms;

export type WalArchiveDeps = {
  cluster: Cluster;
  place: BackupPlace;
  recipients: readonly string[];
  now: Clock;
  log: Logger;
  terms?: Partial<ArchiveTerms>;
};

export type WalArchive = {
  /** Packs what the server put into the spool, and sends it to the place. One call at a time. */
  step(): Promise<void>;
  /** Null: no step was made yet. */
  state(): WalState | null;
  /** Changes the state and keeps the change. */
  change(by: Partial<WalState>): Promise<void>;
};

const tooMuch = 'the place was away for too long, or the disk is nearly full';

/** Sends the WAL of an embedded database to the place of backups. */
export function createWalArchive(deps: WalArchiveDeps): WalArchive {
  const { cluster, place, recipients, now, log } = deps;
  const terms = { ...usualTerms, ...deps.terms };
  const spool = spoolOf(cluster);
  const kept = keptState(cluster);
  const { change } = kept;
  let notBeforeMs = 0;
  let isCompared = false;

  /** Does work at the place, unless it failed a moment ago; a fault is kept in the state. */
  async function atPlace(work: () => Promise<void>): Promise<void> {
    if (performance.now() < notBeforeMs) return;
    try {
      await work();
      if (kept.get()?.fault) {
        log.info('WAL is sent to the place of backups again');
        await change({ fault: null });
      }
    } catch (error) {
      notBeforeMs = performance.now() + terms.againMs;
      const fault = (error as Error).message.slice(0, 1_000);
      if (kept.get()?.fault !== fault) log.warn({ fault }, 'WAL cannot be sent to the place of backups');
      await change({ fault });
    }
  }

  async function step(): Promise<void> {
    const state = await kept.read();
    let isOpen = await isThere(spool);
    if (state === null || state.place !== place.name || (!isOpen && isUsed(state))) {
      await removeSpool(cluster);
      isOpen = false;
      await kept.save(nextRun(state, place.name, now()));
    }
    if (!isOpen) {
      // A run begins with a base backup, which needs the place.
      await atPlace(async () => {
        await place.list(baseFolder);
        if (!(await hasRoom(cluster, terms))) throw new Error('the disk of the database is nearly full');
        await openSpool(cluster);
      });
      return;
    }
    const why = (await isTooMuch(cluster, terms))
      ? tooMuch
      : await packSpool(kept, { spool, recipients, ...terms });
    if (why === null) return await atPlace(sendAll);
    log.error({ why }, 'WAL is missing in the archive: another base backup follows');
    await removeSpool(cluster);
  }

  async function sendAll(): Promise<void> {
    const packed = kept.get()?.packed ?? '';
    if (!isCompared && (await newestIn(place, kept.get()?.run ?? '')) > packed) {
      // The machine went back to an earlier state, as of a snapshot. What it writes now has names that are taken.
      log.error('the place has WAL that this database does not know: another base backup follows');
      return await removeSpool(cluster);
    }
    isCompared = true;
    for (const file of (await readdir(spool)).sort()) {
      const [name, state] = [nameOfPacked(file), kept.get()];
      if (state === null || name === null) continue;
      const path = join(spool, file);
      const { mtime } = await stat(path);
      await place.put(`${walFolder}/${state.run}/${file}`, createReadStream(path));
      const { run, bases } = state;
      await change({
        ...(isSegment(name) && { sent: name }),
        // Without a base backup of its run it is of no use yet.
        ...(bases.some((base) => base.run === run) && { kept_until: mtime.toISOString() }),
      });
      await rm(path);
    }
  }

  return { step, state: kept.get, change };
}

/** The newest segment of a run in a place; empty: it has none. */
async function newestIn(place: BackupPlace, run: string): Promise<string> {
  const names = (await place.list(`${walFolder}/${run}`)).map(({ path }) =>
    nameOfPacked(path.slice(path.lastIndexOf('/') + 1)),
  );
  return names.filter((name) => name !== null && isSegment(name)).at(-1) ?? '';
}

async function isTooMuch(cluster: Cluster, terms: ArchiveTerms): Promise<boolean> {
  const bytes = await spoolBytes(cluster);
  return bytes > terms.spoolBytes || (bytes > 0 && !(await hasRoom(cluster, terms)));
}

async function hasRoom({ home }: Cluster, { freeBytes }: ArchiveTerms): Promise<boolean> {
  const { bavail, bsize } = await statfs(home);
  return bavail * bsize >= freeBytes;
}

function isUsed({ run, packed, bases }: WalState): boolean {
  return packed !== null || bases.some((base) => base.run === run);
}

/** The state at the beginning of a run. What lies in another place is left there. */
function nextRun(before: WalState | null, place: string, now: Date): WalState {
  const run = `${timeInName(now)}-${randomBase62(6)}`;
  const begun = { place, run, first: null, packed: null, sent: null, making: null };
  if (before?.place !== place) {
    const none = { bases: [] as BaseRecord[], former_runs: [], fault: null, mailed_at: null };
    return { ...begun, ...none, kept_until: now.toISOString() };
  }
  return { ...before, ...begun, making: before.making, former_runs: [...before.former_runs, before.run] };
}

/** A time as a part of a path: `2026-11-30T02-00-00Z`. */
export function timeInName(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}
