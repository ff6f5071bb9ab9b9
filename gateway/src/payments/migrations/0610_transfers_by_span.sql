-- Transactions and senders are random, so each new one was written to a page anywhere in indexes of all transfers. Within 32
-- days it is written to the part of these that has those days, and as 4 bytes. What looks one up asks each span of days.
DROP INDEX payment_transfers_transaction;
CREATE INDEX payment_transfers_transaction ON payment_transfers
  ((((seen_at AT TIME ZONE 'UTC')::date - DATE '2020-01-01') / 32), hashtext(transaction));
DROP INDEX payment_transfers_sender;
CREATE INDEX payment_transfers_sender ON payment_transfers
  ((((seen_at AT TIME ZONE 'UTC')::date - DATE '2020-01-01') / 32), hashtext(sender)) WHERE sender IS NOT NULL;
