-- A database that was loaded from a backup knows nothing of what left since then: payouts stay stopped until the chains
-- were read and each such transfer has an owner.
CREATE TABLE treasury_restores (
  restored_at timestamptz PRIMARY KEY,
  backup_at timestamptz NOT NULL,
  -- when payouts went on
  lifted_at timestamptz
);
