import { setTimeout as sleep } from 'node:timers/promises';
import { type Bases, createBases } from '../../src/commands/archiving/bases.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Database, openDatabase } from '../../src/kit/db/db.ts';
import { type Embedded, startEmbedded } from '../../src/kit/postgres/embedded-postgres.ts';
import { findCluster } from '../../src/kit/postgres/postgres-cluster.ts';
import { openPlace } from '../../src/operations/backup/places/place.ts';
import { createWalArchive, type WalArchive } from '../../src/operations/wal-archive/archive.ts';
import { atFileEnd } from '../suite/endings.ts';
import { silentLog } from '../support/fixtures.ts';

export type Archived = {
  embedded: Embedded;
  /** As its owner. */
  db: Database;
  archive: WalArchive;
  bases: Bases;
  /** Ends the segment that is written, and waits until it is in the place. */
  send(): Promise<void>;
  /** Ends the server; the archive sends no more. */
  stop(): Promise<void>;
};

/** An embedded database whose WAL goes to BACKUP_TO all the time, in this process. */
export async function openArchived(env: Record<string, string>): Promise<Archived> {
  const { dataDir, backups } = readConfig(env);
  if (backups === null) throw new Error('BACKUP_TO is not set');
  const embedded = await startEmbedded({
    ...{ dataDir, log: () => {}, archives: true },
    settings: { shared_buffers: '16MB', fsync: 'off' },
  });
  const cluster = (await findCluster(dataDir))!;
  const db = openDatabase(embedded.connection, 4);
  const common = { cluster, place: openPlace(backups.to), recipients: backups.recipients };
  const around = { log: silentLog, now: () => new Date() };
  const archive = createWalArchive({ ...common, ...around });
  const bases = createBases({
    ...{ ...common, ...around, archive, owner: embedded.connection },
    ...{ atMinute: backups.atMinute, days: backups.keep.days, florin: '1.2.3' },
  });
  let isStopped = false;
  async function step(): Promise<void> {
    while (!isStopped) {
      await archive.step();
      await sleep(20);
    }
  }
  const stepping = step();
  async function stop(): Promise<void> {
    isStopped = true;
    await stepping;
    if (!db.ended) await db.end();
    await embedded.stop();
  }
  atFileEnd(stop);
  return {
    ...{ embedded, db, archive, bases, stop },
    async send() {
      const { rows } = await db.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
      while ((archive.state()?.sent ?? '') < rows[0]!.name) await sleep(20);
    },
  };
}
