import { withDatabase } from '../../gateway/src/commands/with-database.ts';
import type { Config } from '../../gateway/src/config/config.ts';
import { prepareDemo } from '../../gateway/src/demo/seed.ts';
import {
  getIntegration,
  type Integration,
  type IntegrationId,
} from '../../gateway/src/identity/integration.ts';
import { after, systemClock } from '../../gateway/src/kit/clock.ts';
import { type Database, liftTimeLimits, transaction } from '../../gateway/src/kit/db/db.ts';
import { isUuid } from '../../gateway/src/kit/ids.ts';
import { createAssets } from '../../gateway/src/money/assets.ts';
import { openSeal } from '../../gateway/src/operations/master-key.ts';
import { forgetTotals } from '../../gateway/src/payments/read/add-up.ts';
import { defaultEventTypes, paymentEventTypes } from '../../gateway/src/webhooks/events/event-types.ts';
import { seedEvents } from './events.ts';
import { buildLeftOut, connections, withConnection, withoutIndexes } from './indexes.ts';
import { bookPayments, seedPayments } from './payments.ts';

const days = (count: number): number => count * 24 * 3600;
const span = days(365);
/** Older events would have been deleted by their retention. */
const eventsKept = days(30);
const batchSize = 50_000;
const mostPayments = 100_000_000;
/**
 * Settings of an embedded server that this command starts: indexes that are built at the end are not written to the log
 * too, few checkpoints interrupt the load, and tables are vacuumed after it.
 */
const loadSettings = { wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '4GB', autovacuum: 'off' };

export type SeedOptions = {
  payments: string;
  integration?: string | undefined;
  /** Events of the whole year with webhooks of every type, in place of the usual types of the days that are kept. */
  full?: boolean | undefined;
  /** Build most indexes after the load: faster, for a database that no gateway uses meanwhile. */
  indexesLast?: boolean | undefined;
};

/**
 * Makes test payments of the last year for an integration, by default the oldest one. Refuses an integration that has
 * taken live payments. Returns the exit code.
 */
export async function seed(env: NodeJS.ProcessEnv, options: SeedOptions): Promise<number> {
  const total = /^\d{1,9}$/.test(options.payments) ? Number.parseInt(options.payments, 10) : 0;
  if (total < 1 || total > mostPayments) {
    throw new Error(
      `--payments must be a number from 1 to ${mostPayments}. To fill the dashboard: florin seed --payments 10000`,
    );
  }
  const next = await withDatabase(
    env,
    async (db, config) => {
      await buildLeftOut(db);
      if (options.integration === undefined) await prepareNew(db, config);
      const integration = await target(db, options.integration);
      process.stdout.write(`Seeding ${total} test payments of ${integration.name} (${integration.id})\n`);
      const seedIt = async (): Promise<void> => {
        await seedAll(db, config, integration, { total, full: options.full ?? false });
        process.stdout.write('Vacuuming the tables ...\n');
        await vacuum(db);
      };
      await (options.indexesLast ? withoutIndexes(db, seededTables, seedIt) : seedIt());
      await withConnection(db, (client) => client.query(`ANALYZE ${seededTables.join(', ')}`));
      return nextSteps(config, integration);
    },
    loadSettings,
  );
  process.stdout.write(`Done.\n\n${next}`);
  return 0;
}

/** What to do with the new payments. */
function nextSteps({ baseUrl }: Config, { id }: Integration): string {
  return `The payments are in the dashboard, at ${baseUrl}/app/i/${id}/test/payments
Where no gateway runs yet, npm start starts one and shows with whom to sign in.
In the terminal: florin payments list
`;
}

/** An installation that was never started gets its demo data first, as `npm start` would make it. */
async function prepareNew(db: Database, config: Config): Promise<void> {
  const { rowCount } = await db.query('SELECT FROM integrations LIMIT 1');
  if (rowCount !== 0) return;
  const seal = await openSeal(db, config.masterKey);
  await prepareDemo({ config, db, seal, chain: null, pi: null, now: systemClock() });
}

async function target(db: Database, id: string | undefined): Promise<Integration> {
  const { rows } = await db.query<{ id: IntegrationId; has_live: boolean }>(
    `SELECT id, EXISTS (SELECT FROM payments WHERE integration_id = i.id AND mode = 'live') AS has_live
     FROM integrations i WHERE $1::uuid IS NULL OR id = $1 ORDER BY created_at, id LIMIT 1`,
    [id === undefined || isUuid(id) ? id : '00000000-0000-0000-0000-000000000000'],
  );
  const found = rows[0];
  if (!found)
    throw new Error(
      id === undefined
        ? 'there is no integration yet: make one in the dashboard first'
        : `there is no integration ${id}`,
    );
  if (found.has_live)
    throw new Error('the integration has live payments, so no invented ones are added to it');
  return await getIntegration(db, found.id);
}

async function seedAll(
  db: Database,
  config: Config,
  integration: Integration,
  { total, full }: { total: number; full: boolean },
): Promise<void> {
  const assets = createAssets(config.assets.all, config.assets.defaults);
  const start = systemClock();
  const owner = { integrationId: integration.id, mode: 'test' } as const;
  const customers = Math.max(10, Math.floor(total / 5));
  const events = full
    ? { since: new Date(0), types: paymentEventTypes }
    : { since: after(start, -eventsKept), types: defaultEventTypes };
  const at = (share: number): Date => after(start, -Math.round(span * (1 - share)));
  let begun = 0;
  let done = 0;
  const seedInTurn = async (): Promise<void> => {
    while (begun < total) {
      const number = begun;
      const count = Math.min(batchSize, total - number);
      begun += count;
      const times = { from: at(number / total), to: at((number + count) / total) };
      await transaction(db, async (tx) => {
        await liftTimeLimits(tx);
        await tx.query('SET LOCAL lock_timeout = 0');
        // These payments may be lost when the machine fails; the command can make others.
        await tx.query('SET LOCAL synchronous_commit = off');
        // The temporary tables of a batch and its joins stay in memory.
        await tx.query(
          "SET LOCAL work_mem = '64MB'; SET temp_buffers = '128MB'; SET LOCAL enable_seqscan = on",
        );
        const batch = { ...times, count, number, customers, feeBps: integration.fee.bps };
        await seedPayments(tx, { ...owner, assets }, batch, start);
        await seedEvents(tx, owner, events);
        await bookPayments(tx, owner);
      });
      done += count;
      showProgress(done, total, systemClock().getTime() - start.getTime());
    }
  };
  await Promise.all(Array.from({ length: connections }, seedInTurn));
  await transaction(db, (tx) => forgetTotals(tx, owner));
}

/** Shows one line that is updated on a terminal, and a line for each batch elsewhere. */
function showProgress(done: number, total: number, ms: number): void {
  const rate = Math.round((done * 1000) / Math.max(ms, 1));
  const left = Math.ceil((total - done) / Math.max(rate, 1));
  const line = `${done} of ${total} payments, ${rate} a second, ${left} s left`;
  process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${line}${done === total ? '\n' : ''}` : `${line}\n`);
}

/** The tables that are seeded. */
const seededTables = [
  'payments',
  'payment_moves',
  'payment_transfers',
  'payment_claims',
  'appeals',
  'events',
  'deliveries',
  'delivery_attempts',
  'ledger_transfers',
  'ledger_entries',
];

/** After a vacuum, lists can be read from indexes alone. */
async function vacuum(db: Database): Promise<void> {
  const tables = [...seededTables];
  const vacuumInTurn = (): Promise<void> =>
    withConnection(db, async (client) => {
      for (let table = tables.shift(); table; table = tables.shift()) await client.query(`VACUUM ${table}`);
    });
  await Promise.all(Array.from({ length: connections }, vacuumInTurn));
}
