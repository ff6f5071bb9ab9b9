import type { FastifyInstance } from 'fastify';
import type { Database } from '../kit/db/db.ts';
import { isMigrated, type Migration } from '../kit/db/migrate.ts';
import type { Loop } from '../kit/loop.ts';

export type Readiness = {
  db: Database;
  migrations: Migration[];
  /** The background loops by name; filled when they start. */
  loops: ReadonlyMap<string, Pick<Loop, 'lastDoneMs' | 'everyMs'>>;
};

/** A loop that did not run for this long after it was due is not working. */
const silentLoopMs = 180_000;

/** Liveness and readiness, outside the envelope (contract.md#calls). */
export function healthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const waiting = await whatIsMissing(readiness);
    if (waiting.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'waiting', for: waiting });
  });
}

async function whatIsMissing({ db, migrations, loops }: Readiness): Promise<string[]> {
  const missing: string[] = [];
  try {
    if (!(await isMigrated(db, migrations))) missing.push('migrations');
  } catch {
    missing.push('database');
  }
  if (loops.size === 0) missing.push('workers');
  for (const [name, loop] of loops) {
    const last = loop.lastDoneMs();
    if (last === null || performance.now() - last > loop.everyMs + silentLoopMs)
      missing.push(`worker ${name}`);
  }
  return missing;
}
