-- What had been read of a treasury or vault up to `block_number` when its opening was found: what is put right of those blocks
-- later changes the opening. NULL: found before that was kept.
ALTER TABLE evm_openings ADD COLUMN read_units numeric(78,0);
