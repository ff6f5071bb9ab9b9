-- Fundings of users that wait for approval: they go to a wallet, and no rail sends them.
ALTER TABLE payouts DROP CONSTRAINT payouts_purpose_check, ADD CONSTRAINT payouts_purpose_check
  CHECK (purpose IN
    ('merchant_payout', 'refund', 'withdrawal', 'fee_withdrawal', 'unmatched_return', 'user_funding'));
-- the kind of the account that gets the money, whose owner is credit_owner
ALTER TABLE payouts ADD COLUMN credit_kind text NOT NULL DEFAULT 'external';
