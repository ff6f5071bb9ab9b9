-- A receivable is the one stored balance below zero: what the owner owes after a correction. It can be
-- paid back as far as zero and no further.
ALTER TABLE ledger_accounts
  DROP CONSTRAINT ledger_accounts_check,
  ADD CONSTRAINT ledger_accounts_balance CHECK (
    held >= 0 AND CASE kind WHEN 'receivable' THEN balance <= 0 AND held = 0 ELSE balance >= held END
  );
