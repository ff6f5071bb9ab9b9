-- What a treasury or vault held of a token beyond what was read when it was first compared with its chain: what lay there
-- before its transfers were read, or below zero what had left unread.
CREATE TABLE evm_openings (
  chain_id bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  token text COLLATE "C" NOT NULL,
  units numeric(78,0) NOT NULL,
  block_number bigint NOT NULL,
  found_at timestamptz NOT NULL,
  PRIMARY KEY (chain_id, address, token)
);
CREATE INDEX evm_transfers_moves ON evm_transfers (chain_id, token, sender) WHERE kind = 'move';
