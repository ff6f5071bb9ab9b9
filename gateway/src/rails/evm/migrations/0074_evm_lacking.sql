-- A deposit that went because its address does not hold it keeps the time, too.
COMMENT ON COLUMN evm_transfers.lacking_since IS
  'since when endpoints, or a single one, tell that the address does not hold the deposit';
