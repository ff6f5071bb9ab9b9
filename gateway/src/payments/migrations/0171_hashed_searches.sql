-- What a person looks up by the whole of it: 4 bytes of a hash in place of 42 to 66 characters.
DROP INDEX payment_transfers_transaction;
CREATE INDEX payment_transfers_transaction ON payment_transfers USING hash (transaction);
DROP INDEX payment_transfers_sender;
CREATE INDEX payment_transfers_sender ON payment_transfers USING hash (sender) WHERE sender IS NOT NULL;
