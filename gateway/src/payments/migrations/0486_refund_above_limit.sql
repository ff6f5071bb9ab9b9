-- A refund above the daily limits of the key that made it: each payout that carries it needs a person's approval.
ALTER TABLE payment_refunds ADD COLUMN needs_approval boolean NOT NULL DEFAULT false;
