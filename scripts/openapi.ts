import { pino } from 'pino';
import type { ApiDescription } from '../gateway/src/api/document/document.ts';
import { createApp } from '../gateway/src/app.ts';
import { readConfig } from '../gateway/src/config/config.ts';
import { systemClock } from '../gateway/src/kit/clock.ts';
import { openDatabase } from '../gateway/src/kit/db/db.ts';
import { createSeal } from '../gateway/src/kit/seal.ts';

/** Builds the gateway without a database, and reads what its calls say of themselves. */
export async function readApi(): Promise<ApiDescription> {
  // Nothing listens on this port: the document needs no database.
  const connection = { host: '127.0.0.1', port: 1 };
  const db = openDatabase(connection);
  const app = await createApp({
    db,
    connection,
    config: readConfig({}),
    migrations: [],
    seal: createSeal(Buffer.alloc(32)),
    walletBackendToken: '',
    log: pino({ level: 'silent' }),
    now: systemClock,
  });
  const description = await app.describe();
  await app.close();
  await db.end();
  return description;
}
