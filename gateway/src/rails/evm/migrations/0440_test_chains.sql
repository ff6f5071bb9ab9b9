-- An address is of live mode or of test mode, and only chains of that mode are read for it: the same address may exist on
-- chains of both.
ALTER TABLE evm_addresses ADD COLUMN is_test boolean NOT NULL DEFAULT false;
