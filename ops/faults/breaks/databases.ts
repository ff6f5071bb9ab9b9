import { createWriteStream } from 'node:fs';
import { chown, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { WorldDatabase } from '../world/database.ts';
import { endLeases } from '../world/start.ts';
import type { Target } from '../world/world.ts';
import { type Kind, randomOf } from './kind.ts';

const targets: readonly Target[] = ['database'];
const everyMs = 250;

export const databaseKinds: Record<string, Kind> = {
  'connections ended': {
    ...{ targets, forMs: [50, 1_200], weight: 4 },
    async begin({ database }) {
      return await again(() =>
        database.db.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'florin_app' AND pid <> pg_backend_pid()",
        ),
      );
    },
  },
  'read only': {
    ...{ targets, forMs: [300, 2_000], weight: 3 },
    async begin({ database }) {
      const set = async (how: string) => {
        await database.db.query(`ALTER SYSTEM ${how}`);
        await database.db.query('SELECT pg_reload_conf()');
      };
      await set('SET default_transaction_read_only = on');
      // Where the disk is full it is done when all is healed.
      return () => set('RESET default_transaction_read_only').catch(() => {});
    },
  },
  'disk full': {
    ...{ targets, forMs: [500, 2_000], weight: 3, takes: () => ['process of database'] },
    async begin({ database }) {
      if (database.disk === null) return null;
      const filler = join(database.disk, 'filler');
      const { uid, gid } = await stat(database.disk);
      const filling = await again(async () => {
        await pipeline(Readable.from(zeros()), createWriteStream(filler, { flags: 'a' })).catch(() => {});
        await chown(filler, uid, gid);
      });
      return async () => {
        await filling();
        await rm(filler, { force: true });
        await database.start();
      };
    },
  },
  'rows locked': {
    ...{ targets, forMs: [300, 2_500], weight: 4 },
    async begin({ database }, broken) {
      const random = randomOf(broken);
      const table = random.pick(['ledger_accounts', 'payments', 'payouts', 'deliveries', 'leases']);
      return await again(() => lockBackwards(database, table, 5 + random.int(40)));
    },
  },
  'leases run out': {
    ...{ targets, forMs: [100, 2_000], weight: 3 },
    begin: async ({ database }) => await again(() => endLeases(database)),
  },
};

/** Does it until it is ended, with a pause; a fault ends nothing. */
async function again(work: () => Promise<unknown>): Promise<() => Promise<void>> {
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      await work().catch(() => {});
      await sleep(everyMs);
    }
  })();
  return async () => {
    isOver = true;
    await going;
  };
}

/** Takes the locks of some rows one by one, from the last to the first: Florin takes them the other way. */
async function lockBackwards({ connection }: WorldDatabase, table: string, rows: number): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const key = table === 'leases' ? 'name' : 'id';
    const found = await client.query(`SELECT ${key} AS key FROM ${table} ORDER BY ${key} DESC LIMIT ${rows}`);
    await client.query('BEGIN');
    for (const { key: value } of found.rows) {
      await client.query(`SELECT FROM ${table} WHERE ${key} = $1 FOR UPDATE`, [value]);
      await sleep(10);
    }
    await client.query('ROLLBACK');
  } finally {
    await client.end().catch(() => {});
  }
}

function* zeros(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(1_048_576);
}
