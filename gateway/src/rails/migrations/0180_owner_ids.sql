-- What an address, a memo, and a transfer to them hold is the id of their owner, who need not be a payment.
ALTER TABLE evm_addresses RENAME COLUMN payment_id TO owner_id;
ALTER TABLE evm_transfers RENAME COLUMN payment_id TO owner_id;
ALTER TABLE pi_memos RENAME COLUMN payment_id TO owner_id;
ALTER TABLE pi_records RENAME COLUMN payment_id TO owner_id;

ALTER INDEX evm_addresses_payment RENAME TO evm_addresses_owner;
ALTER INDEX evm_transfers_unreported_payment RENAME TO evm_transfers_unreported_owner;
ALTER INDEX pi_memos_payment RENAME TO pi_memos_owner;
ALTER INDEX pi_records_payment RENAME TO pi_records_owner;
