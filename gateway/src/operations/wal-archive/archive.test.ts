import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '../../../test/support/data-dir.ts';
import { silentLog } from '../../../test/support/fixtures.ts';
import type { Cluster } from '../../kit/postgres/postgres-cluster.ts';
import { spoolOf } from '../../kit/postgres/wal-spool.ts';
import { openDirectory } from '../backup/places/directory.ts';
import type { BackupPlace } from '../backup/places/place.ts';
import { type BaseRecord, readWalState, walFault, writeWalState } from '../wal/state.ts';
import { createWalArchive } from './archive.ts';
import { walOf } from './points.ts';
import { retainBases } from './retain.ts';
import { segmentAfter, withoutGap } from './segments.ts';

const segmentBytes = 10_000;
const roomy = { spoolBytes: 10 ** 12, freeBytes: 0 };
let now = new Date('2026-03-10T12:00:00Z');
let cluster: Cluster;
let root: string;

beforeEach(async () => {
  const home = await testFolder();
  cluster = { home, data: join(home, 'data'), owner: undefined, isApart: false };
  root = await testFolder();
  now = new Date('2026-03-10T12:00:00Z');
});

/** An archive in a process of its own: what it knows it has read. */
function open(place: BackupPlace = openDirectory(root), limits = roomy) {
  const recipients: string[] = [];
  const terms = { ...limits, segmentBytes, againMs: 0 };
  return createWalArchive({ cluster, place, recipients, now: () => now, log: silentLog, terms });
}

const segment = (number: number): string => `00000001${number.toString(16).toUpperCase().padStart(16, '0')}`;

/** As the server does it: a segment whose bytes say which one it is. */
async function archiveSegments(...numbers: number[]): Promise<void> {
  for (const number of numbers) {
    await writeFile(join(spoolOf(cluster), segment(number)), Buffer.alloc(segmentBytes, number));
  }
}

/** The numbers of the segments that lie in the place, of the run that goes on. */
async function placed(): Promise<number[]> {
  const { run } = (await readWalState(cluster))!;
  const { names, fetch } = await walOf(openDirectory(root), { run, first_segment: segment(1) } as never, []);
  for (const [index, name] of names.entries()) {
    const path = join(root, 'fetched');
    await fetch(name, path);
    expect((await readFile(path)).equals(Buffer.alloc(segmentBytes, index + 1))).toBe(true);
  }
  return names.map((name) => Number.parseInt(name.slice(8), 16));
}

const spooled = async (): Promise<string[]> => await readdir(spoolOf(cluster)).catch(() => []);

/** A place whose calls fail while `isAway` says so. */
function unsteady(isAway: (call: string) => boolean): BackupPlace {
  const real = openDirectory(root);
  const guard = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
    if (isAway(call)) throw new Error('the place is away');
    return await work();
  };
  return {
    name: real.name,
    put: (path, from) => guard('put', () => real.put(path, from)),
    get: (path) => guard('get', () => real.get(path)),
    list: (folder) => guard('list', () => real.list(folder)),
    remove: (paths) => guard('remove', () => real.remove(paths)),
  };
}

const base = (run: string, day: number, first: number): BaseRecord => {
  const at = `2026-03-0${day}T02:00:00.000Z`;
  const folder = `base/2026-03-0${day}T02-00-00Z`;
  return { folder, run, first_segment: segment(first), started_at: at, ended_at: at, bytes: 1 };
};

test('segments follow each other over the end of a number, and a gap ends what can be read', () => {
  expect(segmentAfter('0000000100000000000000FE')).toBe('0000000100000000000000FF');
  expect(segmentAfter('0000000100000000000000FF')).toBe('000000010000000100000000');
  expect(segmentAfter('0000000A000000FF000000FF')).toBe('0000000A0000010000000000');
  expect(withoutGap([4, 2, 3, 6].map(segment), segment(2))).toEqual([2, 3, 4].map(segment));
  expect(withoutGap([2].map(segment), segment(1))).toEqual([]);
});

describe('segments', () => {
  test('are compressed and sent in their order, whichever process does it', async () => {
    await open().step();
    await archiveSegments(1, 2);
    await open().step();
    await archiveSegments(3);
    await open().step();
    expect(await placed()).toEqual([1, 2, 3]);
    expect(await spooled()).toEqual([]);
  });

  test('that the server archives twice, after a crash, are there once', async () => {
    const archive = open();
    await archive.step();
    await archiveSegments(1, 2);
    await archive.step();
    await archiveSegments(2, 3);
    await archive.step();
    expect(await placed()).toEqual([1, 2, 3]);
    expect(archive.state()).toMatchObject({
      first: segment(1),
      packed: segment(3),
      sent: segment(3),
      former_runs: [],
    });
  });

  const noted = {
    nothing: { first: null, packed: null, sent: null },
    packed: { first: segment(1), packed: segment(1), sent: null },
    sent: { first: segment(1), packed: segment(1), sent: segment(1) },
  };
  test.each([
    ['it was packed', noted.nothing, { isRawThere: true, isPlaced: false }],
    ['that was noted', noted.packed, { isRawThere: true, isPlaced: false }],
    ['the segment was removed', noted.packed, { isRawThere: false, isPlaced: false }],
    ['it was sent', noted.packed, { isRawThere: false, isPlaced: true }],
    ['that was noted too', noted.sent, { isRawThere: false, isPlaced: true }],
  ])(
    'are whole and without a gap when a crash comes after %s',
    async (_name, state, { isRawThere, isPlaced }) => {
      await open().step();
      const begun = (await readWalState(cluster))!;
      await archiveSegments(1);
      await open(unsteady((call) => call === 'put')).step();
      if (isRawThere) await archiveSegments(1);
      const file = `${segment(1)}.zst`;
      if (isPlaced) {
        await openDirectory(root).put(
          `wal/${begun.run}/${file}`,
          createReadStream(join(spoolOf(cluster), file)),
        );
      }
      expect(await spooled()).toContain(file);
      await writeWalState(cluster, { ...begun, ...state });
      await writeFile(join(spoolOf(cluster), `${segment(3)}.part`), 'half');
      await archiveSegments(2);
      await open().step();
      expect(await placed()).toEqual([1, 2]);
      expect(await spooled()).toEqual([`${segment(3)}.part`]);
    },
  );

  test('that a machine writes again after it went back to a snapshot overwrite nothing', async () => {
    await open().step();
    await archiveSegments(1);
    await open().step();
    const snapshot = (await readWalState(cluster))!;
    await archiveSegments(2, 3);
    await open().step();
    await writeWalState(cluster, snapshot);
    await archiveSegments(2);
    const archive = open();
    await archive.step();
    await archive.step();
    expect(archive.state()).toMatchObject({ first: null, former_runs: [snapshot.run] });
    const { names } = await walOf(
      openDirectory(root),
      { ...snapshot, first_segment: segment(1) } as never,
      [],
    );
    expect(names).toEqual([1, 2, 3].map(segment));
  });

  test('that are missing or not whole begin another run', async () => {
    const archive = open();
    await archive.step();
    await archiveSegments(1, 2);
    await archive.step();
    const { run } = archive.state()!;
    await archiveSegments(4);
    await archive.step();
    await archive.step();
    expect(archive.state()).toMatchObject({ first: null, former_runs: [run] });
    await archiveSegments(5);
    await writeFile(join(spoolOf(cluster), segment(6)), 'short');
    await archive.step();
    await archive.step();
    expect(archive.state()?.former_runs).toHaveLength(2);
  });
});

describe('a place that is away', () => {
  test('gets what waits when it is back, and the fault is known meanwhile', async () => {
    let isAway = false;
    const archive = open(unsteady(() => isAway));
    await archive.step();
    await archive.change({ bases: [base(archive.state()!.run, 1, 1)] });
    isAway = true;
    await archiveSegments(1, 2);
    await archive.step();
    expect(archive.state()).toMatchObject({ fault: 'the place is away', packed: segment(2), sent: null });
    now = new Date('2026-03-10T14:00:00Z');
    const since = new Date('2026-03-10T12:00:00Z');
    expect(walFault(archive.state()!, now)).toEqual({ since, why: 'the place is away' });
    isAway = false;
    await archive.step();
    expect(archive.state()).toMatchObject({ fault: null, sent: segment(2) });
    expect(await placed()).toEqual([1, 2]);
    // The time is that of the segment, which is of now.
    expect(walFault(archive.state()!, now)).toBe(null);
  });

  test('fills the spool up to a limit; then nothing is kept until it is back', async () => {
    let isAway = false;
    const archive = open(
      unsteady(() => isAway),
      { ...roomy, spoolBytes: 2_000 },
    );
    await archive.step();
    const { run } = archive.state()!;
    isAway = true;
    await archiveSegments(1);
    await archive.step();
    await archive.step();
    // The server's command finds no folder, and drops what it should copy.
    expect(await readdir(cluster.home)).toEqual(['wal-archive.json']);
    expect(archive.state()?.fault).toBe('the place is away');
    isAway = false;
    await archive.step();
    expect(await readdir(cluster.home)).toContain('spool');
    expect(archive.state()?.run === run).toBe(true);
  });

  test('is the same to a spool as a disk that is nearly full: nothing is kept until it has room', async () => {
    await open().step();
    await archiveSegments(1);
    const full = open(openDirectory(root), { ...roomy, freeBytes: 10 ** 18 });
    for (let step = 0; step < 3; step++) await full.step();
    expect(await readdir(cluster.home)).toEqual(['wal-archive.json']);
    expect(full.state()?.fault).toBe('the disk of the database is nearly full');
    await open().step();
    expect(await readdir(cluster.home)).toContain('spool');
  });

  test('is another one: a run begins there, and nothing is removed from the first', async () => {
    await open().step();
    await archiveSegments(1);
    await open().step();
    const other = await testFolder();
    const archive = open(openDirectory(other));
    await archive.step();
    expect(archive.state()).toMatchObject({ place: other, packed: null, bases: [], former_runs: [] });
    expect(await spooled()).toEqual([]);
    expect(await readdir(join(root, 'wal'))).toHaveLength(1);
  });
});

test('base backups go as BACKUP_KEEP says, and the WAL that only they needed', async () => {
  const place = openDirectory(root);
  const archive = open();
  await archive.step();
  await archiveSegments(1, 2, 3, 4);
  await archive.step();
  const { run } = archive.state()!;
  await archive.change({
    bases: [base(run, 6, 1), base(run, 7, 2), base(run, 8, 3), base(run, 9, 4)],
    former_runs: ['gone'],
  });
  await retainBases({ place, archive }, { days: 2, now: new Date('2026-03-10T01:00:00Z') });
  // Of the days from March 8 at 01:00 on: the backup of March 7 is what they begin with.
  expect(archive.state()?.bases.map(({ started_at }) => started_at.slice(0, 10))).toEqual([
    '2026-03-07',
    '2026-03-08',
    '2026-03-09',
  ]);
  expect(archive.state()?.former_runs).toEqual([]);
  expect((await readdir(join(root, 'wal', run))).sort()).toEqual(
    [2, 3, 4].map((each) => `${segment(each)}.zst`),
  );
  await retainBases({ place, archive }, { days: 0, now: new Date('2026-03-30T01:00:00Z') });
  expect(archive.state()?.bases).toHaveLength(1);
});
