-- An order that had ended as failed or cancelled may be paid all the same, by bytes that somebody kept: where a reorg takes
-- that back, it has ended as before.
ALTER TABLE evm_payouts ADD COLUMN was_ended boolean NOT NULL DEFAULT false;
-- Where none of a payout's orders stands any more, its nonce is used up by a call without orders.
ALTER TABLE evm_transactions DROP CONSTRAINT evm_transactions_payments_check;
