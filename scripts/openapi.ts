import { pino } from 'pino';
import { createApp } from '../gateway/src/app.ts';
import { readConfig } from '../gateway/src/config/config.ts';
import { systemClock } from '../gateway/src/kit/clock.ts';
import { openDatabase } from '../gateway/src/kit/db/db.ts';
import { createSeal } from '../gateway/src/kit/seal.ts';

/** A schema, as far as the gateway's document uses JSON Schema. */
export type Schema = {
  type?: string;
  description?: string;
  enum?: (string | number | boolean)[];
  const?: string | number | boolean;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
};

type Content = { content: { 'application/json': { schema: Schema } } };

/** One call of the document. */
export type Operation = {
  summary: string;
  parameters?: {
    name: string;
    in: 'path' | 'query';
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: Content;
  responses: { 200: Content };
};

/** The gateway's OpenAPI document, as `GET /openapi.json` answers it. */
export type OpenApi = { paths: Record<string, Record<string, Operation>> };

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
