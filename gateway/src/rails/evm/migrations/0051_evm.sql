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

-- What a chain is known to be, and how far it was read: written by whoever holds its lease, read by every process.
CREATE TABLE evm_chains (
  chain_id bigint PRIMARY KEY,
  -- whether the configured contracts were found on it as they must be: only then are addresses given out
  verified_at timestamptz,
  -- what was found wrong with them: [{asset?, message}]
  faults jsonb NOT NULL DEFAULT '[]',
  -- assets whose contract was found as configured
  verified_assets text[] NOT NULL DEFAULT '{}',
  -- every treasury that was ever configured: what goes there from an address of ours is a sweep
  treasuries text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- who scans it, and until when by the database's time; `fence` counts the holders, and a stale one writes nothing
  scanner uuid,
  lease_until timestamptz,
  fence bigint NOT NULL DEFAULT 0,
  -- nothing up to this block is ever read
  start_number bigint,
  -- the last block whose transfers were noted, and the last one whose transfers were booked
  seen_number bigint,
  seen_hash text COLLATE "C",
  final_number bigint,
  final_hash text COLLATE "C",
  -- what an endpoint told of the chain, and when, by the gateway's clock
  head_number bigint,
  finalized_number bigint,
  head_at timestamptz,
  -- while it catches up
  blocks_per_second double precision,
  -- why it stands still; NULL: it does not
  scan_fault text,
  scan_fault_at timestamptz,
  -- which endpoint was read last, and how each of them is doing
  endpoint text,
  endpoints jsonb NOT NULL DEFAULT '[]',
  CHECK ((seen_number IS NULL) = (final_number IS NULL)),
  CHECK (final_number <= seen_number AND start_number <= final_number)
);

-- Blocks whose hash was noted, to find where a reorg began: the end of each window that was read, and who
-- answered for it. Old ones are thinned out.
CREATE TABLE evm_blocks (
  chain_id bigint NOT NULL,
  number bigint NOT NULL,
  hash text COLLATE "C" NOT NULL,
  endpoint text NOT NULL,
  PRIMARY KEY (chain_id, number)
);

-- Blocks to read again, because a transfer of them was missed or did not hold what it said.
CREATE TABLE evm_rechecks (
  chain_id bigint NOT NULL,
  block_number bigint NOT NULL,
  due_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (chain_id, block_number)
);
CREATE INDEX evm_rechecks_due ON evm_rechecks (chain_id, due_at);

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
  -- after a report failed it waits, the longer the more often
  report_faults integer NOT NULL DEFAULT 0,
  report_after timestamptz,
  -- What came and went unreported is nobody's business. A sweep counts when it is final, and when it no longer is.
  unreported boolean NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN reported_state IS NULL THEN state = 'final' OR (kind = 'deposit' AND state = 'seen')
      WHEN kind = 'sweep' THEN state <> 'seen' AND state <> reported_state
      ELSE state <> reported_state OR confirmations <> reported_confirmations
    END
  ) STORED,
  PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX evm_transfers_block ON evm_transfers (chain_id, block_number);
CREATE INDEX evm_transfers_seen ON evm_transfers (chain_id, confirmations) WHERE state = 'seen';
CREATE INDEX evm_transfers_unreported ON evm_transfers (chain_id, block_number, log_index) WHERE unreported;
CREATE INDEX evm_transfers_address ON evm_transfers (address);
