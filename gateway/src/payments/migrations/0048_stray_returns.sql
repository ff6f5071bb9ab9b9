-- Where money that named no payment was ordered to be sent back to, with which memo, and the transaction that did.
ALTER TABLE stray_transfers
  ADD COLUMN sent_to text,
  ADD COLUMN sent_memo text,
  ADD COLUMN sent_transaction text,
  ADD CONSTRAINT stray_transfers_sent_to CHECK (sent_to IS NULL OR send_id IS NOT NULL),
  ADD CONSTRAINT stray_transfers_sent CHECK (sent_transaction IS NULL OR state = 'returned');
