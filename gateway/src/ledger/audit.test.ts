import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { type Database, type Tx, transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { type AuditReport, auditLedger } from './audit.ts';
import { endHold, placeHold } from './holds.ts';
import type { Transfer } from './ledger.ts';

const now = new Date('2026-03-01T12:00:00Z');
let db: Database;
beforeAll(async () => {
  ({ db } = await testDatabase());
  const owner = newId(now);
  await seedBalance(db, { kind: 'business', owner, mode: 'test', asset: 'pi', units: 100n });
  await seedBalance(db, { kind: 'user', owner, mode: 'live', asset: 'usdt-bep20', units: 10n ** 30n });
  for (const end of ['posted', 'voided', null] as const) {
    const hold: Transfer = {
      id: newId(now),
      mode: 'test',
      asset: 'pi',
      units: 10n,
      debit: { kind: 'business', owner },
      credit: { kind: 'external', owner: 'wallets' },
      cause: 'withdrawal',
      causeId: null,
    };
    await transaction(db, (tx) => placeHold(tx, hold, now));
    if (end) await transaction(db, (tx) => endHold(tx, hold.id, end, now));
  }
});

/** What the audit finds after `statements`, which are then undone. */
async function auditAfter(statements: string[]): Promise<AuditReport> {
  let report: AuditReport | undefined;
  const undo = new Error('undo');
  const work = async (tx: Tx): Promise<void> => {
    for (const table of ['ledger_entries', 'ledger_transfers']) {
      await tx.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    }
    for (const statement of statements) {
      expect((await tx.query(statement)).rowCount, statement).toBeGreaterThan(0);
    }
    report = await auditLedger(tx);
    throw undo;
  };
  await expect(transaction(db, work)).rejects.toBe(undo);
  return report!;
}

const balances = 'a stored balance is the sum of its entries';
const byMonth = 'what was added up by month is the sum of the entries';
const zero = 'each mode and asset sums to zero';
const pairs = 'a transfer has its two entries and no other';
const orphans = 'an entry belongs to a transfer';
const sides = 'both sides of a transfer are of one mode and asset';
const held = 'what is held is the sum of the pending holds';
const holds = 'a posted hold has its transfer, another has none';

test('a ledger that nobody tampered with is clean, and its rows are counted', async () => {
  expect(await auditAfter([])).toEqual({ accounts: 5, transfers: 3, entries: 6, findings: [] });
});

const seedOfPi = `(SELECT t.id FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.credit
  WHERE t.cause = 'seed' AND a.asset = 'pi')`;
const business = `(SELECT id FROM ledger_accounts WHERE kind = 'business')`;

test.each<[string, string[], string[]]>([
  [
    'a balance that was raised by hand',
    ["UPDATE ledger_accounts SET balance = balance + 1 WHERE kind = 'business'"],
    [balances],
  ],
  [
    'a balance without any entries',
    [
      `INSERT INTO ledger_accounts (kind, owner, mode, asset, stored, balance)
       VALUES ('user', 'nobody', 'test', 'pi', true, 5)`,
    ],
    [balances],
  ],
  [
    'a month that was changed',
    [
      `INSERT INTO ledger_counted (account, seq) SELECT id, 1000 FROM ledger_accounts WHERE id = ${business}`,
      `INSERT INTO ledger_month_totals (account, month, cause, incoming, outgoing, lines, from_seq, to_seq)
       VALUES (${business}, '2026-03', 'seed', 1, 0, 1, 1, 1)`,
    ],
    [byMonth],
  ],
  [
    'an entry that was changed',
    [`UPDATE ledger_entries SET units = units + 1 WHERE account = ${business} AND units > 0`],
    [balances, zero, pairs],
  ],
  ['a transfer that was changed', ['UPDATE ledger_transfers SET units = units + 1'], [pairs]],
  [
    'a transfer that lost one entry',
    [`DELETE FROM ledger_entries WHERE transfer = ${seedOfPi} AND units < 0`],
    [zero, pairs],
  ],
  [
    'a transfer that lost both entries',
    [
      "DELETE FROM ledger_entries WHERE transfer IN (SELECT id FROM ledger_transfers WHERE cause = 'withdrawal')",
      "UPDATE ledger_accounts SET balance = balance + 10 WHERE kind = 'business'",
    ],
    [pairs],
  ],
  [
    'a transfer with a third and a fourth entry',
    [
      `INSERT INTO ledger_entries (account, transfer, units)
       SELECT e.account, e.transfer, u FROM ledger_entries e, unnest(ARRAY[1, -1]) AS u
       WHERE e.transfer = ${seedOfPi} AND e.units < 0`,
    ],
    [pairs],
  ],
  [
    'entries of no transfer',
    [
      `INSERT INTO ledger_entries (account, transfer, units)
       SELECT a.id, gen_random_uuid(), u FROM ledger_accounts a, unnest(ARRAY[1, -1]) AS u
       WHERE a.kind = 'external' AND a.owner = 'wallets'`,
    ],
    [orphans],
  ],
  [
    'a transfer that vanished from under its entries',
    [`DELETE FROM ledger_transfers WHERE id = ${seedOfPi}`],
    [orphans],
  ],
  [
    'an account that changed its mode',
    ["UPDATE ledger_accounts SET mode = 'live' WHERE kind = 'business'"],
    [zero, sides],
  ],
  [
    'an account that changed its asset',
    ["UPDATE ledger_accounts SET asset = 'csk-bep20' WHERE kind = 'business'"],
    [zero, sides],
  ],
  [
    'a transfer between accounts that do not exist',
    [
      `INSERT INTO ledger_transfers (id, debit, credit, units, cause, created_at)
       VALUES ('00000000-0000-7000-8000-000000000001', -1, -2, 5, 'forged', now())`,
      `INSERT INTO ledger_entries (account, transfer, units)
       SELECT account, '00000000-0000-7000-8000-000000000001', units
       FROM (VALUES (-1, -5), (-2, 5)) AS t(account, units)`,
    ],
    [sides],
  ],
  ['units held for nobody', ["UPDATE ledger_accounts SET held = held + 1 WHERE kind = 'business'"], [held]],
  [
    'a pending hold that nothing is held for',
    ["UPDATE ledger_accounts SET held = 0 WHERE kind = 'business'"],
    [held],
  ],
  [
    'a hold that says posted and has moved nothing',
    [
      "UPDATE ledger_holds SET state = 'posted', ended_at = now() WHERE state = 'pending'",
      "UPDATE ledger_accounts SET held = held - 10 WHERE kind = 'business'",
    ],
    [holds],
  ],
  [
    'a hold that says voided and has moved its units',
    ["UPDATE ledger_holds SET state = 'voided' WHERE state = 'posted'"],
    [holds],
  ],
])('it finds %s', async (_, statements, checks) => {
  const { findings } = await auditAfter(statements);
  expect([...new Set(findings.map(({ check }) => check))]).toEqual(checks);
});

test('a finding says where it is and what was found', async () => {
  const { findings } = await auditAfter([
    "UPDATE ledger_accounts SET held = held + 1 WHERE kind = 'business'",
  ]);
  expect(findings).toEqual([
    { check: held, subject: expect.stringMatching(/^business \S+ test pi$/), found: 'held 11, holds 10' },
  ]);
});

test('of very many findings the first are reported', async () => {
  const forge = `INSERT INTO ledger_entries (account, transfer, units)
    SELECT a.id, gen_random_uuid(), u FROM ledger_accounts a, unnest(ARRAY[1, -1]) AS u, generate_series(1, 500)
    WHERE a.kind = 'external' AND a.owner = 'wallets'`;
  expect((await auditAfter([forge])).findings).toHaveLength(20);
});
