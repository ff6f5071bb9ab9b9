-- Payouts that are paid by hand out of a treasury, where a chain has no vault.
ALTER TABLE evm_exports
  -- its orders are paid by plain transfers of the treasury that `vault` names; nothing refuses to pay one of them twice
  ADD COLUMN is_plain boolean NOT NULL DEFAULT false;
ALTER TABLE evm_payouts
  -- the ledger id of the transfer that paid it; `exported_vault` is 'treasury' then, so that no vault ever pays it
  ADD COLUMN paid_move uuid UNIQUE,
  ADD CHECK (paid_move IS NULL OR (state = 'paid' AND exported_vault = 'treasury'));
CREATE INDEX evm_payouts_by_hand ON evm_payouts (chain_id, asset, receiver, units)
  WHERE state = 'queued' AND exported_vault = 'treasury';
CREATE INDEX evm_payouts_paid_by_hand ON evm_payouts (chain_id) WHERE paid_move IS NOT NULL;
