-- Double entry. Kinds with a stored balance (business, user, suspense, payable, receivable) keep it in
-- `balance`; fees and external:<rail> have none, so that no single row is locked by everybody: theirs is
-- the sum of their entries.
CREATE TABLE ledger_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  -- an integration's or a user's id; the rail's name for external accounts; '' for the fee account
  owner text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  asset text NOT NULL,
  stored boolean NOT NULL,
  balance numeric(78,0) NOT NULL DEFAULT 0,
  -- the part of the balance that pending holds have set aside
  held numeric(78,0) NOT NULL DEFAULT 0,
  UNIQUE (owner, kind, mode, asset),
  CHECK (held >= 0 AND balance >= held),
  CHECK (stored OR (balance = 0 AND held = 0))
);

-- One movement from the debit to the credit account. Its id is the idempotency key: the same id posts once.
-- The foreign keys that hot tables lack are checked by the audit instead; each would lock the account row
-- of every insert once more.
CREATE TABLE ledger_transfers (
  id uuid PRIMARY KEY,
  debit bigint NOT NULL,
  credit bigint NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  -- why: payment_received, payment_settled, fee, surplus, fund_user, wallet_payment, seed ... and of what
  cause text NOT NULL,
  cause_id uuid,
  created_at timestamptz NOT NULL,
  CHECK (debit <> credit)
);
CREATE INDEX ledger_transfers_cause ON ledger_transfers (cause_id) WHERE cause_id IS NOT NULL;

-- Append-only: two for each transfer, minus on the debit and plus on the credit account.
CREATE TABLE ledger_entries (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account bigint NOT NULL,
  transfer uuid NOT NULL,
  units numeric(78,0) NOT NULL
);
CREATE INDEX ledger_entries_account ON ledger_entries (account, seq DESC);

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- Units set aside on `debit` until they are posted to `credit` or voided. The id becomes the transfer's.
CREATE TABLE ledger_holds (
  id uuid PRIMARY KEY,
  debit bigint NOT NULL REFERENCES ledger_accounts,
  credit bigint NOT NULL REFERENCES ledger_accounts,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'posted', 'voided')),
  cause text NOT NULL,
  cause_id uuid,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((state = 'pending') = (ended_at IS NULL))
);
CREATE INDEX ledger_holds_pending ON ledger_holds (debit) WHERE state = 'pending';
