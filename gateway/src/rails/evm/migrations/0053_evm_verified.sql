-- Which configuration the contracts were looked at for: another one is not offered before it was looked at too.
ALTER TABLE evm_chains ADD COLUMN verified_for text;
COMMENT ON COLUMN evm_chains.faults IS '[{code, message}], as RailFault';

-- Where the scan stood when it began to catch up with its chain; NULL: it keeps up.
ALTER TABLE evm_chains ADD COLUMN catch_up_from bigint;
