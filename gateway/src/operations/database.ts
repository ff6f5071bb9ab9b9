import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { connectEmbedded, type EmbeddedOptions, startEmbedded } from '../kit/postgres/embedded-postgres.ts';

export type DatabaseServer = { connection: pg.PoolConfig; stop(): Promise<void> };

type Options = Pick<EmbeddedOptions, 'log' | 'onExit' | 'settings'>;

const notOurs = async (): Promise<void> => {};

/** The gateway's database: `DATABASE_URL`, or the embedded server, which this process then holds. */
export async function openServer(config: Config, options: Options): Promise<DatabaseServer> {
  if (config.database.kind === 'external') {
    return { connection: { connectionString: config.database.url }, stop: notOurs };
  }
  return await startEmbedded({ dataDir: config.dataDir, ...options });
}

/** The same for a command beside the gateway: an embedded server that runs is used, else one is started. */
export async function joinServer(config: Config, options: Options): Promise<DatabaseServer> {
  const running = config.database.kind === 'embedded' ? await connectEmbedded(config.dataDir) : null;
  return running ? { connection: running, stop: notOurs } : await openServer(config, options);
}
