import { pino } from 'pino';
import type { OpenApi } from '../gateway/src/api/document/document.ts';
import { createApp } from '../gateway/src/app.ts';
import { readConfig } from '../gateway/src/config/config.ts';
import { systemClock } from '../gateway/src/kit/clock.ts';
import { openDatabase } from '../gateway/src/kit/db/db.ts';
import { createSeal } from '../gateway/src/kit/seal.ts';

/** Builds the gateway without a database, and asks it for its document. */
export async function readOpenApi(): Promise<OpenApi> {
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
  const answer = await app.server.inject({ method: 'GET', url: '/openapi.json' });
  await app.close();
  await db.end();
  return answer.json<OpenApi>();
}
