import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IntegrationId } from '../../src/identity/integration.ts';
import { type Database, transaction } from '../../src/kit/db/db.ts';
import { createHints, type Hints } from '../../src/kit/db/hints.ts';
import { createSeal } from '../../src/kit/seal.ts';
import { createEndpoint, type EndpointId } from '../../src/webhooks/endpoints/endpoints.ts';
import { recordEvents } from '../../src/webhooks/events/outbox.ts';
import { atFileEnd } from '../suite/endings.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { databaseEnv, testDatabase } from '../support/database.ts';
import { seedIntegration } from '../support/fixtures.ts';
import { type GatewayProcess, spawnGateway } from '../support/gateway-process.ts';
import { eventOf } from './fixtures.ts';

/** A merchant with one endpoint. */
export type Shop = { integrationId: IntegrationId; endpointId: EndpointId };

/** Gateways that share a database and are processes of their own, and what a test does beside them. */
export type Fleet = {
  db: Database;
  hints: Hints;
  /** Makes a merchant with one endpoint. */
  shop(url: string): Promise<Shop>;
  /** Starts one more gateway; it is ready when `ready` says so. */
  start(): Promise<GatewayProcess>;
  /** Commits an event of a payment of its own; the id, and when the commit was known, by performance.now(). */
  emit(shop: Shop): Promise<{ id: string; committedAt: number }>;
};

const masterKey = Buffer.alloc(32, 5);

export async function openFleet(): Promise<Fleet> {
  const database = await testDatabase();
  const { db, connection } = database;
  const dataDir = await makeDataDir();
  const keyFile = join(dataDir, 'master.key');
  await writeFile(keyFile, masterKey, { mode: 0o600 });
  const seal = createSeal(masterKey);
  const hints = createHints(db, connection);
  const gateways = new Set<GatewayProcess>();
  atFileEnd(async () => {
    await Promise.all([...gateways].map((gateway) => gateway.end('SIGTERM')));
    await hints.close();
    await removeDataDir(dataDir);
  });

  return {
    db,
    hints,
    async shop(url) {
      const { integrationId } = await seedIntegration(db, seal, { allowPrivateWebhooks: true });
      const input = { integrationId, mode: 'test' as const, url, now: new Date() };
      const { id: endpointId } = await transaction(db, (tx) =>
        createEndpoint(tx, seal, { ...input, events: ['payment_completed'] }),
      );
      return { integrationId, endpointId };
    },
    async start() {
      const gateway = await spawnGateway({
        DATA_DIR: dataDir,
        ...databaseEnv(database),
        MASTER_KEY_FILE: keyFile,
      });
      gateways.add(gateway);
      void gateway.exitCode.then(() => gateways.delete(gateway));
      return gateway;
    },
    async emit({ integrationId }) {
      const [id] = await transaction(db, (tx) => recordEvents(tx, hints, [eventOf(integrationId)]));
      return { id: id!, committedAt: performance.now() };
    },
  };
}

/** Waits until nothing is left to be sent, bringing every retry near; throws after `withinMs`. */
export async function drain({ db }: Fleet, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  for (;;) {
    await db.query(
      `UPDATE deliveries SET next_attempt_at = now() WHERE status = 'pending' AND next_attempt_at > now()`,
    );
    const { rows } = await db.query<{ left: number }>(
      `SELECT count(*)::integer AS left FROM deliveries WHERE status = 'pending'`,
    );
    if (rows[0]!.left === 0) return;
    if (performance.now() > until) throw new Error(`${rows[0]!.left} deliveries are still to be sent`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Numbers in [0, 1) that are the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
