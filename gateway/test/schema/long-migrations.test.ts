import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/kit/db/db.ts';
import { migrate, readMigrations } from '../../src/kit/db/migrate.ts';
import { emptyDatabase } from '../support/database.ts';

// Gateways of the version before serve while a migration runs, and give up what waits for a table for 5 s. What reads or
// writes every row of a table keeps it for as long as there are rows (docs/upgrades.md#what-a-migration-may-do).

const released = JSON.parse(await readFile(join(import.meta.dirname, 'released.json'), 'utf8')) as {
  migrations: Record<string, string>;
};
const ours = await readMigrations(join(import.meta.dirname, '../../src'));

/** Tables that have few rows in the largest installation: one for each business, person, network or setting. */
const small = new Set([
  ...['integrations', 'api_keys', 'webhook_endpoints', 'notice_people', 'currency_terms', 'evm_rechecks'],
  ...['payment_links', 'treasury_moves', 'unmatched_deposits', 'remote_fundings'],
]);

/**
 * What takes longer the more rows there are, since the released version. A line goes with the next release; until then an
 * upgrade of a large installation is tried first, as docs/upgrades.md says.
 */
const long = [
  '0302_payouts_together.sql builds payouts_together of payouts',
  '0302_payouts_together.sql checks payouts_credit_kind_check of payouts',
  '0310_funding_settings.sql builds funding_claims_pkey of funding_claims',
  '0331_late_payouts.sql changes rows of evm_payouts',
  '0331_late_payouts.sql checks payouts_ended_as_check of payouts',
  '0395_evm_other_coins.sql builds evm_transactions_tokens of evm_transactions',
  '0420_prices.sql checks payments_price of payments',
  '0420_prices.sql checks payments_price_amount_check of payments',
  '0420_prices.sql checks payments_rate_check of payments',
  '0431_short_payments.sql builds payments_short of payments',
  '0431_short_payments.sql builds payments_short_link of payments',
  '0441_test_networks.sql builds pi_memos_own of pi_memos',
  '0470_invoices.sql checks payments_short_percent_check of payments',
  '0530_short_prices.sql changes rows of payment_hours',
  '0610_transfers_by_span.sql builds payment_transfers_sender of payment_transfers',
  '0610_transfers_by_span.sql builds payment_transfers_transaction of payment_transfers',
  '0612_narrow_list.sql builds payments_list of payments',
  '0613_entries_by_block.sql builds ledger_entries_account of ledger_entries',
  '0614_narrow_customers.sql builds payments_customer of payments',
  '0614_narrow_customers.sql builds payments_email of payments',
];

let found: string[];
beforeAll(async () => {
  const { db } = await emptyDatabase();
  const isReleased = ({ name }: { name: string }) => name in released.migrations;
  await migrate(db, ours.filter(isReleased));
  const tables = await partsOf(db);
  found = [];
  for (const { name, sql } of ours.filter((each) => !isReleased(each))) {
    const before = await partsOf(db);
    await db.query(sql);
    for (const { kind, of, part, file } of await partsOf(db)) {
      const isOld = tables.some((table) => table.kind === 'rewrites' && table.of === of);
      const was = before.find((each) => each.kind === kind && each.of === of && each.part === part);
      if (isOld && !small.has(of) && was?.file !== file) found.push(`${name} ${kind} ${part} of ${of}`);
    }
    for (const [, of = ''] of sql.matchAll(/^\s*(?:UPDATE|DELETE FROM)\s+(\w+)/gm))
      if (tables.some((table) => table.of === of) && !small.has(of))
        found.push(`${name} changes rows of ${of}`);
  }
});

type Part = { kind: string; of: string; part: string; file: string };

/** Tables and indexes with the file that each lies in, and the rules that all rows were read for. */
async function partsOf(db: Database): Promise<Part[]> {
  const { rows } = await db.query<Part>(
    `WITH rel AS (SELECT oid, relname::text AS of, relfilenode::text AS file FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r')
     SELECT 'rewrites' AS kind, of, 'all' AS part, file FROM rel
     UNION ALL SELECT 'builds', of, indexrelid::regclass::text, indexrelid::text FROM rel JOIN pg_index ON indrelid = rel.oid
     UNION ALL SELECT 'checks', of, conname, '' FROM rel JOIN pg_constraint ON conrelid = rel.oid
       WHERE contype IN ('c', 'f') AND convalidated`,
  );
  return rows;
}

test('a migration reads or writes all rows of a large table only where this list says so', () => {
  expect([...new Set(found)].sort()).toEqual(long);
});
