-- Looked up by the whole of it: 4 bytes of a hash in place of 37 to 66 characters. Senders stay in a tree, which keeps
-- one that comes back once: in an index of hashes the rows of one address would be one long chain.
DROP INDEX payment_transfers_transaction;
CREATE INDEX payment_transfers_transaction ON payment_transfers USING hash (transaction);
