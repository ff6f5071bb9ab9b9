import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KeptTables } from '../../src/kit/db/grants.ts';
import { migrate, readMigrations } from '../../src/kit/db/migrate.ts';
import { keptTables } from '../../src/operations/kept-tables.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { contractions } from './contractions.ts';
import { readSchema, type Schema } from './schema.ts';

type Released = { version: string; migrations: Record<string, string>; keptTables: KeptTables };

// Written by scripts/released.ts when a release is made. Where that was forgotten, the one before it is held to.
const released: Released = JSON.parse(await readFile(join(import.meta.dirname, 'released.json'), 'utf8'));
const ours = await readMigrations(join(import.meta.dirname, '../../src'));

/**
 * What the released version has been found to do without, by the line of the finding: a contraction, one release after the
 * last statement that needs it (docs/upgrades.md). A line goes with the next release.
 */
const withdrawn: Readonly<Record<string, string>> = {
  'constraint funding_claims.funding_claims_pkey was PRIMARY KEY (funding_id), and is PRIMARY KEY (funding_id, allowance_id)':
    'the released version writes one row for a funding, and names no conflict',
  'index funding_claims.funding_claims_pkey was CREATE UNIQUE INDEX funding_claims_pkey ON public.funding_claims USING btree (funding_id), and is CREATE UNIQUE INDEX funding_claims_pkey ON public.funding_claims USING btree (funding_id, allowance_id)':
    'the same; it finds rows by the first column',
  ...Object.fromEntries(
    [
      'payments.currency',
      'payments.amount',
      'payments.fee',
      'payments.amount_due',
      'payment_links.currency',
    ].map((column) => [
      `column ${column} may have no value, which the version before does not expect`,
      'only a payment or a link with a price has none, and the version before makes none',
    ]),
  ),
  'constraint payment_links.payment_links_currency is new: CHECK (((currency IS NOT NULL) OR (price_amount IS NOT NULL))) NOT VALID':
    'whatever the version before writes has a currency',
  "constraint ledger_accounts.ledger_accounts_balance was CHECK (((held >= (0)::numeric) AND\nCASE kind\n    WHEN 'receivable'::text THEN ((balance <= (0)::numeric) AND (held = (0)::numeric))\n    ELSE (balance >= held)\nEND)), and is CHECK (((held >= (0)::numeric) AND\nCASE kind\n    WHEN 'receivable'::text THEN ((balance <= (0)::numeric) AND (held = (0)::numeric))\n    WHEN 'direct'::text THEN (held = (0)::numeric)\n    ELSE (balance >= held)\nEND))":
    'it says less, of a kind of account that the version before does not know',
  'constraint payments.payments_open is new: CHECK (((num_nulls(currency, amount, fee, amount_due) = ANY (ARRAY[0, 4])) AND ((currency IS NOT NULL) OR ((choices IS NOT NULL) AND (price_amount IS NOT NULL))) AND ((rate IS NULL) = ((currency IS NULL) OR (price_amount IS NULL))))) NOT VALID':
    'the same, and neither a price nor a rate',
  "index pi_memos.pi_memos_own was CREATE UNIQUE INDEX pi_memos_own ON public.pi_memos USING btree (owner_id) WHERE (kind = 'transfer'::text), and is CREATE UNIQUE INDEX pi_memos_own ON public.pi_memos USING btree (owner_id, is_test) WHERE (kind = 'transfer'::text)":
    'its rows are of live mode, of which each owner has one as before; it names no conflict',
  "trigger payments.payments_late_change is new: CREATE TRIGGER payments_late_change AFTER UPDATE OF status, currency, amount, price_amount, price_currency, short_units ON public.payments FOR EACH ROW WHEN (((old.created_at < (GREATEST(new.updated_at, now()) - '01:00:00'::interval)) AND ((((((old.status IS DISTINCT FROM new.status) OR (old.currency IS DISTINCT FROM new.currency)) OR (old.amount IS DISTINCT FROM new.amount)) OR (old.price_amount IS DISTINCT FROM new.price_amount)) OR (old.price_currency IS DISTINCT FROM new.price_currency)) OR (old.short_units IS DISTINCT FROM new.short_units)))) EXECUTE FUNCTION note_late_change()":
    'it adds a row to a table of its own, where a payment changes that is older than an hour',
  'trigger stamps.stamps_written is new: CREATE TRIGGER stamps_written BEFORE INSERT ON public.stamps FOR EACH ROW EXECUTE FUNCTION write_stamp()':
    'it computes what the released version would have written, in place of what that sent',
};

test('a migration that was released is there and unchanged, and none was added before the last of them', () => {
  const last = Object.keys(released.migrations).sort().at(-1) ?? '';
  const now = ours.filter(({ name }) => name <= last).map(({ name, checksum }) => [name, checksum]);
  expect(Object.fromEntries(now)).toEqual(released.migrations);
});

describe('the released version can serve on the schema of this one', () => {
  let before: Schema;
  let after: Schema;
  beforeAll(async () => {
    const [{ db: then }, { db: now }] = await Promise.all([emptyDatabase(), testDatabase()]);
    await migrate(
      then,
      ours.filter(({ name }) => name in released.migrations),
    );
    [before, after] = [await readSchema(then), await readSchema(now)];
  });

  test('which has all that its statements rely on, and refuses nothing that it writes', () => {
    expect(contractions(before, after)).toEqual(Object.keys(withdrawn).sort());
  });

  test('with the rights that it had', () => {
    const columnsThen = [...before.values()].filter(({ kind }) => kind === 'column');
    const taken = Object.entries(keptTables).filter(([name, { columns, isReadOnly = false }]) => {
      const had = released.keptTables[name];
      // A table that is new since was of no use to it; `isReadOnly` and a column are rights that are taken.
      if (!had) return columnsThen.some(({ of }) => of === name);
      const fixed = had.columns === 'all' ? null : new Set(had.columns);
      const isTaken = (column: string) =>
        fixed?.has(column) === false && columnsThen.some((each) => each.of === name && each.name === column);
      const isMore = fixed !== null && (columns === 'all' || columns.some(isTaken));
      return isMore || (isReadOnly && !had.isReadOnly);
    });
    expect(taken.map(([name]) => name)).toEqual([]);
  });
});
