-- Statements of what is owed and held, as they were published.
CREATE TABLE proofs (
  id uuid PRIMARY KEY,
  made_at timestamptz NOT NULL,
  -- the text that was signed: JSON without spaces
  statement text NOT NULL,
  -- by the key of the installation, in base64
  signature text NOT NULL,
  -- the salts of its leaves follow from it: nobody outside may know it
  seed bytea NOT NULL
);
CREATE INDEX proofs_made_at ON proofs (made_at);

-- Signatures for the addresses of a statement; some are added after it was made.
CREATE TABLE proof_signatures (
  proof_id uuid NOT NULL REFERENCES proofs,
  chain_id bigint NOT NULL,
  address text NOT NULL,
  -- the address of the key that made it; NULL: a contract says that it is its own
  by text,
  signature text NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (proof_id, chain_id, address)
);

-- Where the balance of an account is in the tree of its asset. Kept for the newest statements only.
CREATE TABLE proof_leaves (
  proof_id uuid NOT NULL REFERENCES proofs,
  account bigint NOT NULL,
  place int NOT NULL,
  units numeric NOT NULL,
  PRIMARY KEY (proof_id, account)
);

-- The nodes of every sixth level of a tree, 64 in a row: 32 bytes of hash and 32 of sum each.
CREATE TABLE proof_nodes (
  proof_id uuid NOT NULL REFERENCES proofs,
  asset text NOT NULL,
  level smallint NOT NULL,
  chunk int NOT NULL,
  nodes bytea NOT NULL,
  PRIMARY KEY (proof_id, asset, level, chunk)
);
