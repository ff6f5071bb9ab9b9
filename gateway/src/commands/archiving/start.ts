import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { systemClock } from '../../kit/clock.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { comesLater } from '../../kit/db/until-answered.ts';
import { startLoop } from '../../kit/loop.ts';
import { type Cluster, findCluster } from '../../kit/postgres/postgres-cluster.ts';
import { removeSpool } from '../../kit/postgres/wal-spool.ts';
import { openPlace } from '../../operations/backup/places/place.ts';
import { florinVersion } from '../../operations/version.ts';
import { keepsWal, readWalState } from '../../operations/wal/state.ts';
import { createWalArchive } from '../../operations/wal-archive/archive.ts';
import { createWalAlert } from './alert.ts';
import { createBases } from './bases.ts';

const stepMs = 3_000;
const baseMs = 10_000;
const alertMs = 60_000;
/**
 * A segment that is not full is left after so long, so that less than a minute is on this machine alone. A server does the
 * same by archive_timeout, but not before its first checkpoint, which may be a quarter of an hour after its start.
 */
const segmentMs = 45_000;

/** Ends the run where the files of the database are older than what was archived of it: somebody has put them back. */
async function endIfOlder(cluster: Cluster, server: Database): Promise<void> {
  const state = await readWalState(cluster);
  const { rows } = await server.query<{ name: string }>(
    'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name',
  );
  if (state?.packed && rows.some(({ name }) => name <= (state.packed ?? ''))) await removeSpool(cluster);
}

export type StartWalArchive = { config: Config; db: Database; owner: pg.PoolConfig; log: Logger };

/** Sends the WAL of an embedded database to BACKUP_TO, and makes its base backups. Returns how that is ended; null: none is kept. */
export async function startWalArchive({
  config,
  db,
  owner,
  log,
}: StartWalArchive): Promise<(() => Promise<void>) | null> {
  const cluster = keepsWal(config) ? await findCluster(config.dataDir) : undefined;
  if (!cluster || config.backups === null) return null;
  const { to, recipients, atMinute, keep } = config.backups;
  const place = openPlace(to);
  const common = { cluster, place, recipients, log, now: systemClock };
  const archive = createWalArchive(common);
  const bases = createBases({
    ...common,
    archive,
    owner,
    atMinute,
    days: keep.days,
    florin: florinVersion(),
  });
  const alert = createWalAlert({ archive, db, baseUrl: config.baseUrl, now: systemClock });
  const server = openDatabase(owner, 1);
  await endIfOlder(cluster, server);
  const leaveSegment = () => server.query('SELECT pg_switch_wal()');
  const loops = [
    startLoop({ name: 'segments of WAL', everyMs: segmentMs, work: leaveSegment, passes: comesLater }, log),
    startLoop({ name: 'WAL', everyMs: stepMs, work: archive.step }, log),
    startLoop({ name: 'base backups', everyMs: baseMs, work: bases.run, passes: comesLater }, log),
    startLoop({ name: 'alert of WAL', everyMs: alertMs, work: alert, passes: comesLater }, log),
  ];
  return async () => {
    bases.close();
    await Promise.all(loops.map((loop) => loop.stop()));
    await server.end();
  };
}
