-- Backups that were written to the place of BACKUP_TO, and attempts that failed. The running one has no row yet, so that a
-- backup does not hold a row of itself without an end.
CREATE TABLE backups (
  id uuid PRIMARY KEY,
  -- the place without secrets, such as s3://bucket/prefix, and the name of the file in it
  place text NOT NULL,
  path text NOT NULL,
  -- why it was made
  kind text NOT NULL CHECK (kind IN ('scheduled', 'ordered', 'command')),
  florin text NOT NULL,
  is_encrypted boolean NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  -- of the file as it lies in the place; null: it failed
  bytes bigint,
  sha256 text,
  fault text,
  -- since when the file is not in the place any more, and whether Florin removed it
  gone_at timestamptz,
  is_removed boolean NOT NULL DEFAULT false,
  CHECK ((fault IS NULL) = (bytes IS NOT NULL AND sha256 IS NOT NULL)),
  CHECK (NOT is_removed OR gone_at IS NOT NULL)
);
CREATE INDEX backups_started ON backups (place, started_at DESC);

-- Backups that were loaded into a database of their own, and what was found there.
CREATE TABLE drills (
  id uuid PRIMARY KEY,
  place text NOT NULL,
  path text NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  -- null: all agrees
  fault text,
  -- what was counted and compared
  report jsonb,
  -- the signed line
  line text
);
CREATE INDEX drills_started ON drills (started_at DESC);

-- What people have asked for, and when operators last got a mail that it is missing.
CREATE TABLE backup_tasks (
  task text PRIMARY KEY CHECK (task IN ('backup', 'drill')),
  ordered_at timestamptz,
  mailed_at timestamptz
);
INSERT INTO backup_tasks (task) VALUES ('backup'), ('drill');
