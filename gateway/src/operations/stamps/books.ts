import type { NumberedTable } from '../../kit/db/complete-rows.ts';

/** What the hash chain covers: the ledger's entries with their transfers, its accounts, and the audit log. */
export const books = ['ledger', 'accounts', 'audit'] as const;
export type Book = (typeof books)[number];

/** A row number for each book, up to which something is true. */
export type Reach = Record<Book, bigint>;

export const nothing: Reach = { ledger: 0n, accounts: 0n, audit: 0n };

type BookTerms = NumberedTable & {
  /** The rows, with the number of each as `at`, up to `$2` from `$1`. */
  rows: string;
  /** The name of a row for people. */
  label: string;
  /**
   * The hashed columns of a row, by the version of a stamp. They never change, nor does a released version. `record_send`
   * writes the type, the length and the bytes of each, independently of the session's settings. New stamps are written by
   * the database's function `write_stamp` (0323), which has a copy of the newest version.
   */
  encodings: Record<number, string>;
};

export const bookTerms: Record<Book, BookTerms> = {
  // Each transfer is hashed with its debit entry, so that it is looked up once.
  ledger: {
    table: 'ledger_entries',
    sequence: 'ledger_entries_seq_seq',
    rows: `ledger_entries e LEFT JOIN ledger_transfers t ON t.id = e.transfer AND e.units < 0
           CROSS JOIN LATERAL (SELECT e.seq AS at) number WHERE e.seq BETWEEN $1 AND $2`,
    label: `'entry ' || e.seq || ' of transfer ' || e.transfer`,
    encodings: {
      1: `record_send(ROW(e.seq, e.account, e.transfer, e.units,
            t.id, t.debit, t.credit, t.units, t.cause, t.cause_id, t.created_at, t.key_id, t.address))`,
    },
  },
  // The owner of an account; its balance follows from its entries.
  accounts: {
    table: 'ledger_accounts',
    sequence: 'ledger_accounts_id_seq',
    rows: 'ledger_accounts a CROSS JOIN LATERAL (SELECT a.id AS at) number WHERE a.id BETWEEN $1 AND $2',
    label: `'account ' || a.id`,
    encodings: { 1: 'record_send(ROW(a.id, a.kind, a.owner, a.mode, a.asset, a.stored))' },
  },
  audit: {
    table: 'audit_log',
    sequence: 'audit_log_seq_seq',
    rows: 'audit_log l CROSS JOIN LATERAL (SELECT l.seq AS at) number WHERE l.seq BETWEEN $1 AND $2',
    label: `'row ' || l.seq || ' of the audit log, ' || l.id`,
    encodings: {
      1: `record_send(ROW(l.seq, l.id, l.at, l.actor_kind, l.actor_id, l.actor_name, l.as_operator, l.address,
            l.merchant_id, l.integration_id, l.action, l.subject_kind, l.subject_id, l.before, l.after))`,
    },
  },
};
