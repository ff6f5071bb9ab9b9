import { access, constants, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../config/config.ts';
import { after } from '../../../kit/clock.ts';
import { codeOf } from '../../../kit/db/system-errors.ts';
import { findCluster } from '../../../kit/postgres/postgres-cluster.ts';
import type { Check, Context } from './context.ts';
import { type Finding, found } from './finding.ts';

const gibibyte = 2 ** 30;
const daySeconds = 86_400;
/** Below either of these the disk counts as nearly full, or as full. */
const low = { part: 0.1, bytes: 2 * gibibyte };
const full = { part: 0.03, bytes: gibibyte / 2 };

/** How many bytes of a disk are free, and how many it has. */
type Room = { free: number; all: number };

/** The room that a disk had so many days ago. */
type Earlier = Room & { days: number };

type Place = { name: string; path: string; isOurs: boolean };

/** Growth of fewer days is that of chance. */
const leastDays = 3;
const soonDays = 30;
/** Beyond that no growth lasts. */
const mostDays = 3_650;

/** The room on the disks of the data directory and of the embedded database, and for how long it is enough. */
export const checkDisk: Check = async (context) => {
  const places = await placesOf(context.config);
  // A database that is slow or broken must not hide how full a disk is.
  const late = sleep(context.limitMs / 2, null, { ref: false });
  return await Promise.all(
    places.map((place) => look(place, Promise.race([earlierOf(context, place).catch(() => null), late]))),
  );
};

/** The room on each disk by its machine and path, as reports keep it. */
export async function roomsOf(config: Config): Promise<Record<string, Room>> {
  const rooms = await Promise.all(
    (await placesOf(config)).map(async (place) => [keyOf(place), await roomAt(place).catch(() => null)]),
  );
  return Object.fromEntries(rooms.filter(([, room]) => room !== null));
}

async function placesOf({ dataDir, database }: Config): Promise<Place[]> {
  const places = [{ name: 'DATA_DIR', path: dataDir, isOurs: true }];
  const cluster =
    database.kind === 'embedded' ? await findCluster(dataDir).catch(() => undefined) : undefined;
  // Its files may belong to a user of their own.
  if (cluster?.isApart) places.push({ name: 'the database', path: cluster.data, isOurs: false });
  return places;
}

/** Gateways on several machines keep their reports in one table. */
const keyOf = ({ path }: Place): string => `${hostname()} ${path}`;

async function roomAt({ path }: Place): Promise<Room> {
  const { bsize, blocks, bavail } = await statfs(path);
  return { free: bavail * bsize, all: blocks * bsize };
}

async function earlierOf({ db, isMigrated, now }: Context, place: Place): Promise<Earlier | null> {
  if (db === null || !(await isMigrated())) return null;
  const { rows } = await db.query<{ at: Date; room: Room }>(
    `SELECT at, disks -> $1 AS room FROM doctor_reports WHERE at <= $2 AND disks ? $1 ORDER BY at LIMIT 1`,
    [keyOf(place), after(now(), -leastDays * daySeconds)],
  );
  const [oldest] = rows;
  return oldest
    ? { ...oldest.room, days: (now().getTime() - oldest.at.getTime()) / 1000 / daySeconds }
    : null;
}

async function look(place: Place, earlier: Promise<Earlier | null>): Promise<Finding> {
  const { name, path, isOurs } = place;
  const words = `${name} ${path}`;
  try {
    const room = await roomAt(place);
    if (isOurs) await access(path, constants.W_OK | constants.X_OK);
    return judge(words, room, await earlier);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT'
      ? found('disk', 'not_yet', words)
      : found('disk', 'not_writable', `${words}: ${code}`);
  }
}

/** What this room on a disk means, and its growth since then. */
export function judge(place: string, room: Room, earlier: Earlier | null = null): Finding {
  const { free, all } = room;
  const isBelow = (limit: typeof low) => free < limit.bytes || free < all * limit.part;
  const gigabytes = (bytes: number) => (bytes / gibibyte).toFixed(1);
  const days = daysLeft(room, earlier);
  const growth =
    earlier && days <= mostDays
      ? `, enough for ${Math.floor(days)} days at the growth of the last ${Math.round(earlier.days)}`
      : '';
  const detail = `${place}: ${gigabytes(free)} of ${gigabytes(all)} GiB are free${growth}`;
  if (isBelow(full)) return found('disk', 'full', detail);
  if (isBelow(low)) return found('disk', 'low', detail);
  return found('disk', days < soonDays ? 'filling' : 'ok', detail);
}

/** Infinity where it does not fill, or where the disk is another one by now. */
function daysLeft({ free, all }: Room, earlier: Earlier | null): number {
  if (earlier === null || earlier.all !== all || earlier.free <= free) return Number.POSITIVE_INFINITY;
  return (free * earlier.days) / (earlier.free - free);
}
