-- Addresses and hashes are lower-case hex with 0x before it.

-- One deposit address of one payment; never given out twice. Money that arrives at it counts on every chain,
-- though it is shown only for `chain_ids`.
CREATE TABLE evm_addresses (
  address text COLLATE "C" PRIMARY KEY,
  payment_id uuid NOT NULL,
  chain_ids bigint[] NOT NULL,
  -- a forwarder's destination; NULL: derived from `xpub` at `key_index`
  treasury text COLLATE "C",
  xpub text,
  key_index bigint,
  created_at timestamptz NOT NULL,
  CHECK ((treasury IS NULL) = (xpub IS NOT NULL AND key_index IS NOT NULL)),
  UNIQUE (xpub, key_index)
);
CREATE INDEX evm_addresses_payment ON evm_addresses (payment_id);
CREATE INDEX evm_addresses_recent ON evm_addresses (created_at);

-- The next address of each extended public key.
CREATE TABLE evm_key_indexes (
  xpub text PRIMARY KEY,
  next_index bigint NOT NULL
);

-- What a chain is known to be: written by its scanner, read by every process.
CREATE TABLE evm_chains (
  chain_id bigint PRIMARY KEY,
  -- whether the configured contracts were found on it as they must be: only then are addresses given out
  verified_at timestamptz,
  -- what was found wrong with them: [{asset?, message}]
  faults jsonb NOT NULL DEFAULT '[]',
  -- assets whose contract was found as configured
  verified_assets text[] NOT NULL DEFAULT '{}'
);

-- A transfer of a token to one of our addresses ('deposit'), or from one of them to its treasury ('sweep').
-- One row for each log of each block: what a reorg removed stays as 'gone', and its successor is another row.
CREATE TABLE evm_transfers (
  chain_id bigint NOT NULL,
  block_hash text COLLATE "C" NOT NULL,
  log_index integer NOT NULL,
  block_number bigint NOT NULL,
  transaction text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deposit', 'sweep')),
  asset text NOT NULL,
  token text COLLATE "C" NOT NULL,
  sender text COLLATE "C" NOT NULL,
  -- ours: where a deposit arrived, or where a sweep left
  address text COLLATE "C" NOT NULL REFERENCES evm_addresses,
  payment_id uuid NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  state text NOT NULL CHECK (state IN ('seen', 'final', 'gone')),
  confirmations integer NOT NULL,
  -- the ledger transfer that books a sweep
  ledger_id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  -- what was reported last; NULL: nothing yet
  reported_state text,
  reported_confirmations integer,
  PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX evm_transfers_open ON evm_transfers (chain_id, block_number) WHERE state = 'seen';
CREATE INDEX evm_transfers_unreported ON evm_transfers (chain_id, block_number)
  WHERE (reported_state, reported_confirmations) IS DISTINCT FROM (state, confirmations);
CREATE INDEX evm_transfers_address ON evm_transfers (address);
