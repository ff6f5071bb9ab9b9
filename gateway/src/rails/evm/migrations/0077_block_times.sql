-- The time that the chain gave the transfer's block; NULL: noted before this was kept.
ALTER TABLE evm_transfers ADD COLUMN block_at timestamptz;
