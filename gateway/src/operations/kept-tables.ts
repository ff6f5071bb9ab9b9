import type { KeptTables } from '../kit/db/grants.ts';

/**
 * The tables whose rows the role that serves may add and not take back or change. Of every other one it may read, add, change
 * and delete rows; nothing else of any.
 */
export const keptTables: KeptTables = {
  audit_log: { columns: 'all' },
  ledger_transfers: { columns: 'all' },
  ledger_entries: { columns: 'all' },
  // The rest is its balance, which follows from its entries.
  ledger_accounts: { columns: ['id', 'kind', 'owner', 'mode', 'asset', 'stored'] },
  stamps: { columns: 'all' },
  payment_hour_changes: { columns: 'all' },
  // The rest is whether it was mailed, and whether payouts go on.
  appeal_messages: { columns: ['id', 'appeal_id', 'author', 'account_id', 'text', 'at'] },
  treasury_restores: { columns: ['restored_at', 'backup_at', 'known_moves'] },
  // Their number grows, and a closed account takes its name along. Old ones are forgotten by a function of the owner.
  security_events: {
    columns: [
      ...['id', 'at', 'actor_kind', 'actor_id', 'address', 'merchant_id', 'integration_id', 'action'],
      ...['subject_kind', 'subject_id', 'detail'],
    ],
  },
  schema_migrations: { columns: 'all', isReadOnly: true },
};
