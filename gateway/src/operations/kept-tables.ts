import type { KeptTables } from '../kit/db/grants.ts';

/**
 * The tables to which the serving role may only add rows, and whose rows it may not change or delete. In every other table
 * it may read, add, change and delete rows. It has no other rights.
 */
export const keptTables: KeptTables = {
  audit_log: { columns: 'all' },
  ledger_transfers: { columns: 'all' },
  ledger_entries: { columns: 'all' },
  // The other columns are its balance, which follows from its entries.
  ledger_accounts: { columns: ['id', 'kind', 'owner', 'mode', 'asset', 'stored'] },
  stamps: { columns: 'all' },
  proofs: { columns: 'all' },
  payment_hour_changes: { columns: 'all' },
  rate_history: { columns: 'all' },
  // The other columns say whether it was mailed, and whether payouts go on.
  appeal_messages: { columns: ['id', 'appeal_id', 'author', 'account_id', 'text', 'at'] },
  treasury_restores: { columns: ['restored_at', 'backup_at', 'known_moves'] },
  // Their count grows, and closing an account removes its name from them. A function of the owner deletes old ones.
  security_events: {
    columns: [
      ...['id', 'at', 'actor_kind', 'actor_id', 'address', 'merchant_id', 'integration_id', 'action'],
      ...['subject_kind', 'subject_id', 'detail'],
    ],
  },
  database_moves: { columns: 'all', isReadOnly: true },
  schema_migrations: { columns: 'all', isReadOnly: true },
};
