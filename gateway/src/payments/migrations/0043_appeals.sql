-- A payment's time in appeal: opened and closed by the moves into and out of `in-appeal`, with the people's
-- part of it: who decided, and what was said.
CREATE TABLE appeals (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  -- the payment's own, for the lists
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  reason text NOT NULL CHECK (reason IN ('part_paid', 'late', 'paid_after_end', 'disputed', 'reorg')),
  opened_from text NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  -- the reason with which the payment left
  decision text CHECK (decision IN ('accepted', 'dispute_rejected', 'returned', 'reorg')),
  decided_by uuid,
  decided_as text CHECK (decided_as IN ('merchant', 'operator')),
  note text,
  -- when the business was told of it by mail
  told_at timestamptz,
  CHECK ((closed_at IS NULL) = (decision IS NULL))
);
CREATE UNIQUE INDEX appeals_open_payment ON appeals (payment_id) WHERE closed_at IS NULL;
CREATE INDEX appeals_payment ON appeals (payment_id);
CREATE INDEX appeals_open ON appeals (integration_id, mode, opened_at DESC, id DESC) WHERE closed_at IS NULL;
CREATE INDEX appeals_closed ON appeals (integration_id, mode, opened_at DESC, id DESC)
  WHERE closed_at IS NOT NULL;
CREATE INDEX appeals_all_open ON appeals (opened_at DESC, id DESC) WHERE closed_at IS NULL;
CREATE INDEX appeals_all_closed ON appeals (opened_at DESC, id DESC) WHERE closed_at IS NOT NULL;
CREATE INDEX appeals_untold ON appeals (opened_at) WHERE told_at IS NULL;

-- Append-only, but for the mark that it was mailed.
CREATE TABLE appeal_messages (
  id uuid PRIMARY KEY,
  appeal_id uuid NOT NULL REFERENCES appeals,
  author text NOT NULL CHECK (author IN ('merchant', 'customer', 'operator')),
  account_id uuid,
  text text NOT NULL CHECK (char_length(text) <= 2000),
  at timestamptz NOT NULL,
  told_at timestamptz,
  CHECK ((author = 'customer') = (account_id IS NULL))
);
CREATE INDEX appeal_messages_appeal ON appeal_messages (appeal_id, id);
CREATE INDEX appeal_messages_untold ON appeal_messages (at) WHERE told_at IS NULL;

CREATE FUNCTION appeal_messages_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'appeal_messages is append-only';
END $$;
CREATE TRIGGER appeal_messages_append_only
  BEFORE UPDATE OF id, appeal_id, author, account_id, text, at OR DELETE OR TRUNCATE ON appeal_messages
  FOR EACH STATEMENT EXECUTE FUNCTION appeal_messages_are_append_only();

-- A transfer that was given back no longer speaks for the payment.
ALTER TABLE payment_transfers ADD COLUMN returned_at timestamptz;

-- Each transfer's way back; its id is that of the ledger transfer. `requested`: owed, until a rail sends it.
CREATE TABLE payment_refunds (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments,
  rail text NOT NULL,
  key text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  state text NOT NULL CHECK (state IN ('requested', 'sent')),
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  FOREIGN KEY (rail, key) REFERENCES payment_transfers (rail, key),
  UNIQUE (rail, key),
  CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX payment_refunds_payment ON payment_refunds (payment_id);
CREATE INDEX payment_refunds_requested ON payment_refunds (created_at) WHERE state = 'requested';

-- Payments that were in appeal before there was this table; nobody is mailed of these.
INSERT INTO appeals (id, payment_id, integration_id, mode, reason, opened_from, opened_at, told_at)
SELECT p.id, p.id, p.integration_id, p.mode, p.reason, coalesce(m.from_status, 'pending'),
  coalesce(m.at, p.updated_at), p.updated_at
FROM payments p
LEFT JOIN LATERAL (
  SELECT from_status, at FROM payment_moves
  WHERE payment_id = p.id AND to_status = 'in-appeal' ORDER BY version DESC LIMIT 1
) m ON true
WHERE p.status = 'in-appeal';
