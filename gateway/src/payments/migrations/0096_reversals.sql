-- A booking that is taken back is called a reversal, and what was mailed says so.
ALTER TABLE payment_losses RENAME TO payment_reversals;
ALTER TABLE payment_reversals RENAME COLUMN told_at TO mailed_at;
ALTER INDEX payment_losses_pkey RENAME TO payment_reversals_pkey;
ALTER INDEX payment_losses_untold RENAME TO payment_reversals_unmailed;
ALTER TABLE payment_reversals
  RENAME CONSTRAINT payment_losses_payment_id_fkey TO payment_reversals_payment_id_fkey;

ALTER TABLE appeals RENAME COLUMN told_at TO mailed_at;
ALTER INDEX appeals_untold RENAME TO appeals_unmailed;
ALTER TABLE appeal_messages RENAME COLUMN told_at TO mailed_at;
ALTER INDEX appeal_messages_untold RENAME TO appeal_messages_unmailed;
