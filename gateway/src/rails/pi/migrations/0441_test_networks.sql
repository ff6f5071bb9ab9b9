-- What belongs to test mode is kept apart from live money: a memo counts on the network of its own mode alone.
ALTER TABLE pi_accounts ADD COLUMN is_test boolean NOT NULL DEFAULT false;
ALTER TABLE pi_records ADD COLUMN is_test boolean NOT NULL DEFAULT false;
ALTER TABLE pi_platform_payments ADD COLUMN is_test boolean NOT NULL DEFAULT false;
ALTER TABLE pi_memos ADD COLUMN is_test boolean NOT NULL DEFAULT false;

-- An integration or a user may have a memo in each mode.
DROP INDEX pi_memos_own;
CREATE UNIQUE INDEX pi_memos_own ON pi_memos (owner_id, is_test) WHERE kind = 'transfer';
