-- `units` is what counts. Where a token's contract holds less of a deposit than its log says, that part is credited,
-- and `logged_units` is what the log says; NULL: the same as `units`.
ALTER TABLE evm_transfers ADD COLUMN logged_units numeric(78,0),
  ADD CONSTRAINT evm_transfers_logged CHECK (logged_units > units);
-- Since when a single endpoint tells that a deposit's address does not hold it.
ALTER TABLE evm_transfers ADD COLUMN lacking_since timestamptz;

CREATE INDEX evm_transfers_in_part ON evm_transfers (chain_id, seen_at) WHERE logged_units IS NOT NULL;
