-- Payouts that the admin of a vault pays in place of its signer, by a file for a Safe or by hand.
CREATE TABLE evm_exports (
  id uuid PRIMARY KEY,
  chain_id bigint NOT NULL,
  -- the vault that the file calls
  vault text COLLATE "C" NOT NULL,
  -- who exported, as operators read it
  exported_by text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX evm_exports_list ON evm_exports (chain_id, id DESC);

-- What its file had; it stays when a payout is taken back.
CREATE TABLE evm_export_orders (
  export_id uuid NOT NULL REFERENCES evm_exports,
  order_id uuid NOT NULL REFERENCES evm_payouts,
  PRIMARY KEY (export_id, order_id)
);
CREATE INDEX evm_export_orders_order ON evm_export_orders (order_id);

ALTER TABLE evm_payouts
  -- the export by which it is paid by hand; the signer does not pay it meanwhile
  ADD COLUMN export_id uuid REFERENCES evm_exports,
  -- the vault of its exports, whose files can be executed for ever: no other vault may pay it, and it cannot be cancelled
  ADD COLUMN exported_vault text COLLATE "C",
  -- the transaction in which the vault used its id for something else: nothing can pay it any more
  ADD COLUMN used_up_by text COLLATE "C",
  ADD CHECK (export_id IS NULL OR (exported_vault IS NOT NULL AND state <> 'signed'));
-- Which payment of a vault a transfer out of it was.
CREATE INDEX evm_vault_events_transaction ON evm_vault_events (chain_id, transaction);
CREATE INDEX evm_payouts_export ON evm_payouts (export_id) WHERE export_id IS NOT NULL;
