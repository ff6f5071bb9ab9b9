import { after } from '../../kit/clock.ts';
import type { BackupPlace } from '../backup/places/place.ts';
import type { BaseRecord } from '../wal/state.ts';
import { type WalArchive, walFolder } from './archive.ts';
import { noteName } from './base.ts';
import { nameOfPacked } from './segments.ts';

const daySeconds = 86_400;

/**
 * Removes the base backups that no moment of the last `days` days needs, and the WAL before the oldest one that is kept. The newest
 * one is always kept. Of what others have put into the place nothing is removed.
 */
export async function retainBases(
  { place, archive }: { place: BackupPlace; archive: WalArchive },
  { days, now }: { days: number; now: Date },
): Promise<void> {
  const state = archive.state();
  if (state === null) return;
  const { kept, old } = basesToKeep(state.bases, { days, now });
  for (const { folder } of old) await removeBase(place, folder);
  const runs = [...state.former_runs, state.run];
  for (const run of runs) {
    const needed = kept.find((base) => base.run === run)?.first_segment;
    // Of the run that has no base backup yet everything is needed.
    if (needed === undefined && run === state.run) continue;
    const files = (await place.list(`${walFolder}/${run}`)).map(({ path }) => path);
    await place.remove(files.filter((path) => needed === undefined || isBefore(path, needed)));
  }
  const former = state.former_runs.filter((run) => kept.some((base) => base.run === run));
  await archive.change({ bases: kept, former_runs: former });
}

/** The note goes first: without it nobody begins a recovery. */
export async function removeBase(place: BackupPlace, folder: string): Promise<void> {
  await place.remove([`${folder}/${noteName}`]);
  await place.remove((await place.list(folder)).map(({ path }) => path));
}

/** Names of histories are shorter, and are kept with the run. */
function isBefore(path: string, segment: string): boolean {
  const name = nameOfPacked(path.slice(path.lastIndexOf('/') + 1));
  return name !== null && name.length === segment.length && name < segment;
}

function basesToKeep(
  bases: readonly BaseRecord[],
  { days, now }: { days: number; now: Date },
): { kept: BaseRecord[]; old: BaseRecord[] } {
  const from = after(now, -days * daySeconds).toISOString();
  const newestFirst = bases.toSorted((a, b) => (a.ended_at < b.ended_at ? 1 : -1));
  // The first one that ended before is what the moments from then on follow from.
  const before = newestFirst.findIndex(({ ended_at: end }) => end <= from);
  const count = before < 0 ? newestFirst.length : before + 1;
  return { kept: newestFirst.slice(0, count).reverse(), old: newestFirst.slice(count) };
}
