-- Hashes of transactions are lower-case hex without 0x before them; amounts are in units of 10^-7 PI.

-- What a transfer is marked with, so that it is known whose it is; never given out twice. A payment has one of its
-- own ('transfer'), and one for each payment that the Pi platform made for it ('platform', its identifier).
CREATE TABLE pi_memos (
  memo text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('transfer', 'platform')),
  payment_id uuid NOT NULL,
  -- stands for the memo in muxed destinations
  number bigint UNIQUE,
  created_at timestamptz NOT NULL,
  CHECK ((kind = 'transfer') = (number IS NOT NULL))
);
CREATE INDEX pi_memos_payment ON pi_memos (payment_id);
CREATE UNIQUE INDEX pi_memos_own ON pi_memos (payment_id) WHERE kind = 'transfer';

-- The custody account on its network, and how far its movements were read. The cursor moves in the transaction that
-- takes a movement, on condition that it is where the reader left it: so none is skipped and none is taken twice,
-- however many read.
CREATE TABLE pi_accounts (
  passphrase text NOT NULL,
  account text COLLATE "C" NOT NULL,
  -- paging token of the last movement that was taken; NULL: reading has not begun
  cursor numeric(20,0),
  -- who reads, by the database's time: for politeness to Horizon, not for safety
  reader uuid,
  lease_until timestamptz,
  -- whether the network knows it; asked from time to time
  is_open boolean NOT NULL DEFAULT false,
  -- when a Horizon was last read, by the gateway's clock; up to which ledger, and which is the newest
  read_at timestamptz,
  ledger bigint,
  head bigint,
  head_closed_at timestamptz,
  -- why it stands still; NULL: it does not
  fault_code text,
  fault text,
  -- which endpoint was read last, and how each of them is doing
  endpoint text,
  endpoints jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (passphrase, account)
);

-- Every movement of PI into or out of the custody account, once. Also what a transaction of its own cost that moved
-- none, because it failed.
CREATE TABLE pi_records (
  -- the operation, as its network numbers it
  paging_token numeric(20,0) NOT NULL,
  transaction text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  direction text NOT NULL CHECK (direction IN ('in', 'out')),
  -- payment, create_account, path_payment_strict_send, path_payment_strict_receive, account_merge
  type text NOT NULL,
  units numeric(78,0) NOT NULL,
  -- who sent it, or who got it, with its part of the account where it named one
  counterparty text COLLATE "C" NOT NULL,
  memo_type text NOT NULL,
  memo text,
  muxed_id numeric(20,0),
  -- whose it is; NULL: nobody's (in), or not ours to know (out)
  payment_id uuid,
  -- a movement into the account: 'held' until the Pi platform confirms it, 'final' for its payment, or 'stray'
  state text NOT NULL CHECK (state IN ('held', 'final', 'stray', 'out')),
  -- the order that it carries out
  send_id uuid,
  -- what the network took, in the first movement out of a transaction of ours
  fee numeric(78,0) NOT NULL DEFAULT 0,
  ledger_id uuid NOT NULL,
  fee_ledger_id uuid NOT NULL,
  -- when its ledger closed, and when it was read
  at timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  -- what payments were told last; NULL: nothing yet
  told_state text,
  -- after a report failed it waits, the longer the more often
  tell_faults integer NOT NULL DEFAULT 0,
  tell_after timestamptz,
  CHECK (units > 0 OR (units = 0 AND fee > 0)),
  CHECK (fee = 0 OR direction = 'out'),
  CHECK ((state = 'out') = (direction = 'out')),
  CHECK (state NOT IN ('held', 'final') OR payment_id IS NOT NULL),
  PRIMARY KEY (transaction, paging_token)
);
CREATE INDEX pi_records_untold ON pi_records (paging_token) WHERE told_state IS DISTINCT FROM state;
CREATE INDEX pi_records_payment ON pi_records (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX pi_records_memo ON pi_records (memo) WHERE memo IS NOT NULL;
