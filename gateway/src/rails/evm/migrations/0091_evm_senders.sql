-- The table `leases` says who scans a chain and who sends on it.
ALTER TABLE evm_chains DROP COLUMN scanner, DROP COLUMN lease_until, DROP COLUMN fence;

ALTER TABLE evm_lanes DROP COLUMN holder, DROP COLUMN held_until;
ALTER TABLE evm_lanes RENAME TO evm_senders;
ALTER INDEX evm_lanes_pkey RENAME TO evm_senders_pkey;
ALTER INDEX evm_transactions_lane RENAME TO evm_transactions_nonce;
