// A plain double-entry ledger in SQL: a function moves units between two accounts that it locks in the order of their ids,
// refuses what the debited one has not, and writes the transfer with its two entries. Keys and units have the types of Florin's.
import type { Database } from '../../gateway/src/kit/db/db.ts';

/** One transfer between accounts that are named by their numbers, from 1. */
export type PlainTransfer = { id: string; debit: number; credit: number };

const schema = `
CREATE SCHEMA plain_ledger;
CREATE TABLE plain_ledger.accounts (id bigint PRIMARY KEY, balance numeric(78,0) NOT NULL CHECK (balance >= 0));
CREATE TABLE plain_ledger.transfers (id uuid PRIMARY KEY, debit bigint NOT NULL, credit bigint NOT NULL,
  units numeric(78,0) NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE plain_ledger.entries (seq bigint GENERATED ALWAYS AS IDENTITY, account bigint NOT NULL, transfer uuid NOT NULL,
  units numeric(78,0) NOT NULL, PRIMARY KEY (account, seq));
CREATE FUNCTION plain_ledger.move(id uuid, debit bigint, credit bigint, amount numeric) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM plain_ledger.accounts a WHERE a.id IN (move.debit, move.credit) ORDER BY a.id FOR UPDATE;
  UPDATE plain_ledger.accounts a SET balance = a.balance - amount WHERE a.id = move.debit AND a.balance >= amount;
  IF NOT FOUND THEN RAISE EXCEPTION 'insufficient balance'; END IF;
  UPDATE plain_ledger.accounts a SET balance = a.balance + amount WHERE a.id = move.credit;
  INSERT INTO plain_ledger.transfers (id, debit, credit, units) VALUES (move.id, move.debit, move.credit, amount);
  INSERT INTO plain_ledger.entries (account, transfer, units)
    VALUES (move.debit, move.id, -amount), (move.credit, move.id, amount);
END $$`;

export async function openPlainLedger(db: Database, accounts: number, balance: string): Promise<void> {
  await db.query(schema);
  await db.query('INSERT INTO plain_ledger.accounts SELECT n, $2 FROM generate_series(1, $1::int) n', [
    accounts,
    balance,
  ]);
}

/** One call of the function for each transfer, all of them in one statement. */
export async function movePlainly(
  db: Database,
  transfers: readonly PlainTransfer[],
  units: bigint,
): Promise<void> {
  const [first] = transfers;
  if (transfers.length === 1 && first) {
    const values = [first.id, first.debit, first.credit, units];
    await db.query({ name: 'move', text: 'SELECT plain_ledger.move($1, $2, $3, $4)', values });
    return;
  }
  await db.query({
    name: 'move-all',
    text: `SELECT plain_ledger.move(id, debit, credit, $4)
           FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS t (id, debit, credit)`,
    values: [
      transfers.map(({ id }) => id),
      transfers.map(({ debit }) => debit),
      transfers.map(({ credit }) => credit),
      units,
    ],
  });
}
