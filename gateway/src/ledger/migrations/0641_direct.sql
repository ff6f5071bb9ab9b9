-- What lies at the addresses of direct settlement is mirrored by accounts of the kind 'direct', one for each integration
-- and asset. Nobody can spend them, and what left the chain before it was read may bring one below zero for a while.
ALTER TABLE ledger_accounts
  DROP CONSTRAINT ledger_accounts_balance,
  ADD CONSTRAINT ledger_accounts_balance CHECK (
    held >= 0 AND CASE kind
      WHEN 'receivable' THEN balance <= 0 AND held = 0
      WHEN 'direct' THEN held = 0
      ELSE balance >= held
    END
  );
