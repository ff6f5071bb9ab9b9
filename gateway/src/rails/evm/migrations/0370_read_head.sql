-- The agreed head up to which a round last noted all that the chain took, and the time of its block; NULL: no round did
-- since the database was made or restored, or since the cursor stepped back.
ALTER TABLE evm_chains ADD COLUMN read_head bigint, ADD COLUMN read_head_at timestamptz;
