-- Paying out of a vault. No money is booked here: what left is booked by the transfers that the chain shows.

-- Sweeps and payouts have their own keys, and share how transactions are sent. Of a payout: `treasury` is the vault,
-- and `payments` are the ids of orders.
ALTER TABLE evm_transactions ADD COLUMN kind text NOT NULL DEFAULT 'sweep' CHECK (kind IN ('sweep', 'payout'));

-- The upper half of the ids that vaults are given: 64 random bits. A restored database takes new ones, so that no id
-- that was given out after the backup is given out again.
CREATE TABLE evm_vault_epoch (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  epoch numeric(20,0) NOT NULL
);
-- The lower half: neighbours share a word of the vault's storage.
CREATE SEQUENCE evm_vault_numbers;

-- Orders to pay, each carried out once or not at all.
CREATE TABLE evm_payouts (
  id uuid PRIMARY KEY,
  chain_id bigint NOT NULL,
  -- by which the vault pays it once for ever
  vault_id numeric(78,0) NOT NULL UNIQUE,
  asset text NOT NULL,
  token text COLLATE "C" NOT NULL,
  receiver text COLLATE "C" NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  -- 'signed': `transaction_id` carries it; 'paid': the vault's event is final
  state text NOT NULL CHECK (state IN ('queued', 'signed', 'paid', 'failed', 'cancelled')),
  transaction_id uuid REFERENCES evm_transactions,
  -- the hash of the transaction that paid it
  paid_by text COLLATE "C",
  -- a final transaction paid others of its token, and not this one
  was_refused boolean NOT NULL DEFAULT false,
  -- what holds it up, or why it failed, in words
  fault text,
  -- how often it was refused, and when it is tried again
  tries integer NOT NULL DEFAULT 0,
  retry_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- what was reported last
  reported_state text NOT NULL DEFAULT 'queued',
  reported_fault text,
  report_faults integer NOT NULL DEFAULT 0,
  report_after timestamptz,
  unreported boolean NOT NULL GENERATED ALWAYS AS (
    state <> 'cancelled' AND (state <> reported_state OR fault IS DISTINCT FROM reported_fault)
  ) STORED,
  CHECK ((ended_at IS NOT NULL) = (state IN ('paid', 'failed', 'cancelled'))),
  CHECK ((paid_by IS NOT NULL) = (state = 'paid')),
  CHECK (state <> 'signed' OR transaction_id IS NOT NULL)
);
CREATE INDEX evm_payouts_queue ON evm_payouts (chain_id, created_at, id) WHERE state = 'queued';
CREATE INDEX evm_payouts_signed ON evm_payouts (transaction_id) WHERE state = 'signed';
CREATE INDEX evm_payouts_unreported ON evm_payouts (chain_id) WHERE unreported;

-- What the vault of a chain said in final blocks, as two endpoints showed it. A row for each log of each block: what a
-- reorg removed stays as 'gone'.
CREATE TABLE evm_vault_events (
  chain_id bigint NOT NULL,
  block_hash text COLLATE "C" NOT NULL,
  log_index integer NOT NULL,
  block_number bigint NOT NULL,
  transaction text COLLATE "C" NOT NULL,
  vault text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('paid', 'refused')),
  vault_id numeric(78,0) NOT NULL,
  token text COLLATE "C" NOT NULL,
  receiver text COLLATE "C" NOT NULL,
  units numeric(78,0) NOT NULL,
  -- why it was refused: the selector of the vault's error
  reason text COLLATE "C",
  state text NOT NULL CHECK (state IN ('final', 'gone')),
  PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX evm_vault_events_id ON evm_vault_events (vault_id);
CREATE INDEX evm_vault_events_block ON evm_vault_events (chain_id, block_number);

-- Who pays out on a chain, and how far the vault's events were read.
CREATE TABLE evm_payout_senders (
  chain_id bigint PRIMARY KEY,
  vault text COLLATE "C",
  read_number bigint,
  read_hash text COLLATE "C",
  read_at timestamptz,
  signer text COLLATE "C",
  -- wei
  gas_balance numeric(78,0),
  -- what keeps it from paying, in words
  fault text
);
