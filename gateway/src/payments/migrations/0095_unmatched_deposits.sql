-- One name for money that named no payment: unmatched deposits.
ALTER TABLE stray_transfers RENAME TO unmatched_deposits;
ALTER INDEX stray_transfers_pkey RENAME TO unmatched_deposits_pkey;
ALTER INDEX stray_transfers_ledger_id_key RENAME TO unmatched_deposits_ledger_id_key;
ALTER INDEX stray_transfers_open RENAME TO unmatched_deposits_open;
ALTER INDEX stray_transfers_sender RENAME TO unmatched_deposits_sender;
ALTER INDEX stray_transfers_transaction RENAME TO unmatched_deposits_transaction;
ALTER INDEX stray_transfers_payment RENAME TO unmatched_deposits_payment;
ALTER INDEX stray_transfers_send RENAME TO unmatched_deposits_send;
ALTER TABLE unmatched_deposits RENAME CONSTRAINT stray_transfers_sent_to TO unmatched_deposits_sent_to;
ALTER TABLE unmatched_deposits RENAME CONSTRAINT stray_transfers_sent TO unmatched_deposits_sent;
