-- All transfers are read again some time after they were final, for those that an endpoint left out of the first
-- reading. `round` 1 comes some minutes later, and 2 about an hour.
CREATE TABLE evm_second_readings (
  chain_id bigint NOT NULL,
  round smallint NOT NULL,
  -- up to here it has come
  number bigint NOT NULL,
  -- up to here it goes when it is due: what was final at `target_at`, by the gateway's clock
  target bigint NOT NULL,
  target_at timestamptz NOT NULL,
  -- which endpoint told the last blocks
  endpoint text,
  -- when it last found a transfer that the first reading should have had
  missed_at timestamptz,
  PRIMARY KEY (chain_id, round),
  CHECK (number <= target)
);
-- It begins where the scans stand by now.
INSERT INTO evm_second_readings (chain_id, round, number, target, target_at)
SELECT chain_id, round, final_number, final_number, now()
FROM evm_chains, generate_series(1, 2) AS round WHERE final_number IS NOT NULL;

-- What an endpoint told of a block and is not noted, as `hash:index`: the block is read again until it is.
ALTER TABLE evm_rechecks ADD COLUMN expects text[] COLLATE "C" NOT NULL DEFAULT '{}';
