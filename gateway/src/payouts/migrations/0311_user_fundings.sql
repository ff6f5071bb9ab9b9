-- Fundings of users that wait for approval: they go to a wallet, and no rail sends them.
ALTER TABLE payouts DROP CONSTRAINT payouts_purpose_check, ADD CONSTRAINT payouts_purpose_check
  CHECK (purpose IN
    ('merchant_payout', 'refund', 'withdrawal', 'fee_withdrawal', 'unmatched_return', 'user_funding'));
