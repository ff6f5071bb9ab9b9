// A process that starts the embedded server of a data directory and archives its WAL all the time: tests kill it.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createBases } from '../../src/commands/archiving/bases.ts';
import { sourceRoot } from '../../src/commands/with-database.ts';
import { openDatabase } from '../../src/kit/db/db.ts';
import { readMigrations } from '../../src/kit/db/migrate.ts';
import { startEmbedded } from '../../src/kit/postgres/embedded-postgres.ts';
import { findCluster } from '../../src/kit/postgres/postgres-cluster.ts';
import { openDirectory } from '../../src/operations/backup/places/directory.ts';
import { migrateFor } from '../../src/operations/database.ts';
import { createWalArchive } from '../../src/operations/wal-archive/archive.ts';

const [dataDir = '', folder = ''] = process.argv.slice(2);
const embedded = await startEmbedded({
  ...{ dataDir, log: () => {}, archives: true },
  settings: { shared_buffers: '16MB', fsync: 'off' },
});
const db = openDatabase(embedded.connection, 1);
await migrateFor(db, await readMigrations(sourceRoot), null);
await db.end();
const cluster = (await findCluster(dataDir))!;
const common = {
  cluster,
  place: openDirectory(folder),
  recipients: [],
  log: pino({ level: 'silent' }),
  now: () => new Date(),
};
const archive = createWalArchive({ ...common, terms: { againMs: 0 } });
const bases = createBases({
  ...{ ...common, archive, owner: embedded.connection },
  ...{ atMinute: 0, days: 7, florin: '1.2.3' },
});
process.stdout.write('started\n');
void (async () => {
  for (;;) {
    await bases.run();
    await sleep(100);
  }
})();
for (;;) {
  await archive.step();
  await sleep(5);
}
