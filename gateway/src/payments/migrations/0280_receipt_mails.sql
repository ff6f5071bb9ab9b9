-- The receipt of a payment by mail. A row is made when the customer chooses how to pay, and the mail is queued once the payment
-- is completed; or when the customer asks for it on the page of a completed payment.
CREATE TABLE receipt_mails (
  payment_id uuid PRIMARY KEY,
  -- of the page as the customer last used it
  locale text NOT NULL,
  -- of the last mail; null: the payment is not completed yet
  sent_at timestamptz,
  -- where it went, shortened as the page shows it: a•••@example.com
  sent_to text
);
CREATE INDEX receipt_mails_waiting ON receipt_mails (payment_id) WHERE sent_at IS NULL;
