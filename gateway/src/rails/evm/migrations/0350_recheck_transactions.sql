-- The transactions whose receipts showed what a block is read again for: an endpoint may leave their logs out of its answers
-- for ever.
ALTER TABLE evm_rechecks ADD COLUMN transactions text[] COLLATE "C" NOT NULL DEFAULT '{}';
