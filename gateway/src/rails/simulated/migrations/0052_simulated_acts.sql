-- A script may also fail, expire or dispute its payment when its time has come: such a step has no transfer.
ALTER TABLE simulated_steps
  ADD COLUMN act text CHECK (act IN ('fail', 'expire', 'dispute')),
  ALTER COLUMN transaction DROP NOT NULL,
  ALTER COLUMN asset DROP NOT NULL,
  ALTER COLUMN units DROP NOT NULL,
  ALTER COLUMN state DROP NOT NULL,
  ALTER COLUMN confirmations DROP NOT NULL,
  ADD CHECK ((act IS NULL) = (num_nonnulls(transaction, asset, units, state, confirmations) = 5));
