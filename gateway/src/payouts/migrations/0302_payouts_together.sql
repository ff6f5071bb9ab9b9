-- The kind of the account that a payout leaves to: the outside, or the wallet of a user of this installation.
ALTER TABLE payouts ADD COLUMN credit_kind text NOT NULL DEFAULT 'external' CHECK (credit_kind IN ('external', 'user'));
-- Payouts that are parts of one order: while they wait for approval they are approved, rejected and cancelled as one.
ALTER TABLE payouts ADD COLUMN together uuid;
CREATE INDEX payouts_together ON payouts (together) WHERE together IS NOT NULL;
