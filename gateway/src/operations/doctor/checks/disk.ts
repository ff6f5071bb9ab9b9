import { access, constants, statfs } from 'node:fs/promises';
import { codeOf } from '../../../kit/db/system-errors.ts';
import { findCluster } from '../../../kit/postgres/postgres-cluster.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const gibibyte = 2 ** 30;
/** Below either of these the disk counts as nearly full, or as full. */
const low = { part: 0.1, bytes: 2 * gibibyte };
const full = { part: 0.03, bytes: gibibyte / 2 };

/** The room on the disks of the data directory and of the embedded database. */
export const checkDisk: Check = async ({ config }) => {
  const { dataDir, database } = config;
  const places = [{ name: 'DATA_DIR', path: dataDir, isOurs: true }];
  const cluster =
    database.kind === 'embedded' ? await findCluster(dataDir).catch(() => undefined) : undefined;
  // Its files may belong to a user of their own.
  if (cluster?.isApart) places.push({ name: 'the database', path: cluster.data, isOurs: false });
  return await Promise.all(places.map(look));
};

type Place = { name: string; path: string; isOurs: boolean };

async function look({ name, path, isOurs }: Place): Promise<Finding> {
  const place = `${name} ${path}`;
  try {
    const { bsize, blocks, bavail } = await statfs(path);
    if (isOurs) await access(path, constants.W_OK | constants.X_OK);
    return judge(place, { free: bavail * bsize, all: blocks * bsize });
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT'
      ? found('disk', 'not_yet', place)
      : found('disk', 'not_writable', `${place}: ${code}`);
  }
}

/** What so many bytes on a disk mean. */
export function judge(place: string, { free, all }: { free: number; all: number }): Finding {
  const isBelow = (limit: typeof low) => free < limit.bytes || free < all * limit.part;
  const gigabytes = (bytes: number) => (bytes / gibibyte).toFixed(1);
  const detail = `${place}: ${gigabytes(free)} of ${gigabytes(all)} GiB are free`;
  return found('disk', isBelow(full) ? 'full' : isBelow(low) ? 'low' : 'ok', detail);
}
