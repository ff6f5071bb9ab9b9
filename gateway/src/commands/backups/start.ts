import type pg from 'pg';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../../config/config.ts';
import { systemClock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Migration } from '../../kit/db/migrate.ts';
import { comesLater } from '../../kit/db/until-answered.ts';
import { startLoop } from '../../kit/loop.ts';
import type { Seal } from '../../kit/seal.ts';
import { assertRecipients } from '../../operations/backup/encrypt.ts';
import { openPlace } from '../../operations/backup/places/place.ts';
import { florinVersion } from '../../operations/version.ts';
import { createBackups } from './loop.ts';

const everyMs = 5_000;

export type StartBackups = {
  config: Config;
  db: Database;
  owner: pg.PoolConfig;
  migrations: Migration[];
  seal: Seal;
  log: Logger;
};

/** Starts the scheduled backups of a gateway, where BACKUP_TO is set. Returns how they are ended; null: there are none. */
export async function startBackups({ config, ...deps }: StartBackups): Promise<(() => Promise<void>) | null> {
  const { backups, dataDir, baseUrl } = config;
  if (backups === null) return null;
  await assertRecipients(backups.recipients).catch((error: Error) => {
    throw new ConfigError([error.message]);
  });
  const place = openPlace(backups.to);
  if (backups.recipients.length === 0)
    deps.log.warn(`Backups in ${place.name} are not encrypted: set BACKUP_RECIPIENT, by florin backup key`);
  const run = createBackups({
    ...{ ...deps, config: backups, place, dataDir, baseUrl },
    ...{ florin: florinVersion(), now: systemClock },
  });
  const loop = startLoop({ name: 'backups', everyMs, work: run.run, passes: comesLater }, deps.log);
  return async () => {
    run.close();
    await loop.stop();
  };
}
