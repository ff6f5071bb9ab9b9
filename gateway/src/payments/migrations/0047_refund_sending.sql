-- What is owed back may be sent by its rail, where the gateway has a key.

-- `sending`: it was ordered; it is `sent` once it is seen to have left, and `requested` again where it cannot be.
ALTER TABLE payment_refunds
  DROP CONSTRAINT payment_refunds_state_check,
  ADD CONSTRAINT payment_refunds_state_check CHECK (state IN ('requested', 'sending', 'sent', 'void')),
  -- the order that sends it, which is the hold in the ledger too; and where to
  ADD COLUMN send_id uuid UNIQUE,
  ADD COLUMN destination text,
  ADD COLUMN memo text,
  ADD COLUMN ordered_at timestamptz,
  -- the one that paid it
  ADD COLUMN transaction text,
  -- why the last order failed
  ADD COLUMN fault text,
  ADD CONSTRAINT payment_refunds_ordered
    CHECK (num_nulls(send_id, destination, ordered_at) IN (0, 3) AND (state <> 'sending' OR send_id IS NOT NULL));
DROP INDEX payment_refunds_requested;
CREATE INDEX payment_refunds_owed ON payment_refunds (id) WHERE state IN ('requested', 'sending');

-- The same for money that named no payment.
ALTER TABLE stray_transfers
  ADD COLUMN fault text,
  ADD CONSTRAINT stray_transfers_send UNIQUE (send_id);
