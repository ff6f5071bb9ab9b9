-- Moving deposits from their addresses to the treasury. No money is booked here: the ledger's lines follow from
-- the transfers that the chain shows.

-- Of a deposit: all of it is known to have left its address. Of a sweep: it was looked at for that. Only to look at
-- few rows: what is left at an address is always counted from all of its transfers.
ALTER TABLE evm_transfers ADD COLUMN swept boolean NOT NULL DEFAULT false;
CREATE INDEX evm_transfers_unswept ON evm_transfers (chain_id, token, address) INCLUDE (units)
  WHERE kind = 'deposit' AND state = 'final' AND NOT swept;
CREATE INDEX evm_transfers_new_sweeps ON evm_transfers (chain_id, token, address)
  WHERE kind = 'sweep' AND state = 'final' AND NOT swept;
CREATE INDEX evm_transfers_lost_sweeps ON evm_transfers (chain_id, token, address)
  WHERE kind = 'sweep' AND state = 'gone';

-- The one place from which a chain's transactions are sent; whoever holds it sends.
CREATE TABLE evm_lanes (
  chain_id bigint PRIMARY KEY,
  holder uuid NOT NULL,
  held_until timestamptz NOT NULL,
  -- when the worker last looked for what is to be swept
  planned_at timestamptz,
  -- the address that pays for gas, what it held when last asked, and what keeps it from sending, in words
  gas_key text COLLATE "C",
  gas_balance numeric(78,0),
  faults text[] NOT NULL DEFAULT '{}'
);

-- One nonce that was given out. It is written, with the signed bytes of its first attempt, before anything is sent.
CREATE TABLE evm_transactions (
  id uuid PRIMARY KEY,
  chain_id bigint NOT NULL,
  sender text COLLATE "C" NOT NULL,
  nonce bigint NOT NULL,
  -- forty zeros: the native coin
  token text COLLATE "C" NOT NULL,
  treasury text COLLATE "C" NOT NULL,
  payments uuid[] NOT NULL CHECK (cardinality(payments) > 0),
  -- what it was made to move, and once it is mined what it moved, in the token's smallest units
  units numeric(78,0) NOT NULL,
  gas_limit bigint NOT NULL,
  -- 'final': done; 'failed': mined and reverted; 'replaced': another transaction of the key took its nonce
  state text NOT NULL CHECK (state IN ('prepared', 'sent', 'mined', 'final', 'failed', 'replaced')),
  -- how the attempt that was mined went
  hash text COLLATE "C",
  block_number bigint,
  succeeded boolean,
  gas_used bigint,
  gas_price numeric(78,0),
  -- the block at which the nonce was first seen to be used by none of our attempts
  overtaken_at bigint,
  -- what an endpoint last said against it
  fault text,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  CHECK ((settled_at IS NOT NULL) = (state IN ('final', 'failed', 'replaced'))),
  CHECK (state NOT IN ('mined', 'final', 'failed') OR num_nulls(hash, block_number, succeeded) = 0)
);
-- One nonce is under way once, whoever gives it out.
CREATE UNIQUE INDEX evm_transactions_lane ON evm_transactions (chain_id, sender, nonce)
  WHERE state IN ('prepared', 'sent', 'mined');
CREATE INDEX evm_transactions_settled ON evm_transactions (chain_id, settled_at);

-- The same nonce with the same calls, signed anew for a higher price: any of them may be mined, and one is.
CREATE TABLE evm_attempts (
  transaction_id uuid NOT NULL REFERENCES evm_transactions,
  -- after a deep reorg the very same bytes may be another transaction of ours
  hash text COLLATE "C" NOT NULL,
  signed text COLLATE "C" NOT NULL,
  -- wei for a unit of gas; without a tip it is of the kind before EIP-1559
  max_fee numeric(78,0) NOT NULL,
  tip numeric(78,0),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (transaction_id, hash)
);

-- What could not be moved, why, and when it is tried again.
CREATE TABLE evm_sweep_faults (
  chain_id bigint NOT NULL,
  token text COLLATE "C" NOT NULL,
  address text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  tries integer NOT NULL,
  since timestamptz NOT NULL,
  retry_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, token, address)
);
