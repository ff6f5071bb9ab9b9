-- Both rails name alike what payments were told of a row.
ALTER TABLE pi_records RENAME COLUMN told_state TO reported_state;
ALTER TABLE pi_records RENAME COLUMN tell_faults TO report_faults;
ALTER TABLE pi_records RENAME COLUMN tell_after TO report_after;
ALTER INDEX pi_records_untold RENAME TO pi_records_unreported;
ALTER INDEX evm_transfers_untold RENAME TO evm_transfers_unreported_payment;
