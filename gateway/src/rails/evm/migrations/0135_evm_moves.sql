-- Transfers into and out of treasuries and vaults are noted beside deposits and sweeps ('move').

-- Every vault that was ever configured, and from where on the transfers of treasuries and vaults are read:
-- [{address, place, token, since}], where `since` is the last block whose transfers are not.
ALTER TABLE evm_chains
  ADD COLUMN vaults text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN places jsonb NOT NULL DEFAULT '[]';

-- One log may matter twice: a treasury that pays an address of ours lacks it, and the payment has it.
ALTER TABLE evm_transfers
  ADD COLUMN side text COLLATE "C" NOT NULL DEFAULT 'address',
  -- of a move: where it came from and went to, 'operator' for outside
  ADD COLUMN source text,
  -- of a sweep too; NULL: the treasury
  ADD COLUMN target text,
  ADD COLUMN receiver text COLLATE "C",
  ALTER COLUMN payment_id DROP NOT NULL,
  -- that of a move is the treasury or vault
  DROP CONSTRAINT evm_transfers_address_fkey,
  DROP CONSTRAINT evm_transfers_kind_check,
  DROP CONSTRAINT evm_transfers_pkey,
  ADD PRIMARY KEY (chain_id, block_hash, log_index, side),
  ADD CONSTRAINT evm_transfers_kind_check CHECK (kind IN ('deposit', 'sweep', 'move')),
  ADD CONSTRAINT evm_transfers_side_check
    CHECK (side = CASE WHEN kind = 'move' THEN 'place' ELSE 'address' END),
  ADD CONSTRAINT evm_transfers_move_check
    CHECK (CASE WHEN kind = 'move' THEN num_nulls(source, target, receiver) = 0 ELSE payment_id IS NOT NULL END);

-- A deposit counts when it is seen; all others when they are final, and when they no longer are. The column is made anew,
-- and its indexes with it: PostgreSQL 15 and 16 cannot give it another expression.
ALTER TABLE evm_transfers
  DROP COLUMN unreported,
  ADD COLUMN unreported boolean NOT NULL GENERATED ALWAYS AS (
    CASE
      WHEN reported_state IS NULL THEN state = 'final' OR (kind = 'deposit' AND state = 'seen')
      WHEN kind <> 'deposit' THEN state <> 'seen' AND state <> reported_state
      ELSE state <> reported_state OR confirmations <> reported_confirmations
    END
  ) STORED;
CREATE INDEX evm_transfers_unreported ON evm_transfers (chain_id, block_number, log_index) WHERE unreported;
CREATE INDEX evm_transfers_unreported_payment ON evm_transfers (payment_id) WHERE unreported;
