-- The rail has noted all that the chain took up to this time; NULL: nothing is certain since its cursor stepped back.
ALTER TABLE evm_chains ADD COLUMN read_through timestamptz;

-- What payments have not heard of yet, which is asked when one of them is due.
CREATE INDEX evm_transfers_untold ON evm_transfers (payment_id) WHERE unreported;
