-- Coins and tokens that are not taken, and that a transaction sent to an address of ours: what one endpoint showed when a
-- customer named the transaction. Nothing is booked by it.
CREATE TABLE evm_other_coins (
  id uuid PRIMARY KEY,
  chain_id bigint NOT NULL,
  transaction text COLLATE "C" NOT NULL,
  -- 0: the transaction's own coins; 1 and more: which log of its receipt
  place integer NOT NULL,
  address text COLLATE "C" NOT NULL,
  -- forty zeros: the native coin
  token text COLLATE "C" NOT NULL,
  units numeric(78,0) NOT NULL,
  block_number bigint NOT NULL,
  found_at timestamptz NOT NULL,
  UNIQUE (chain_id, transaction, place, address)
);

-- Whether a sweep has taken such a coin since.
CREATE INDEX evm_transactions_tokens ON evm_transactions (chain_id, token, block_number)
  WHERE kind = 'sweep' AND succeeded;
