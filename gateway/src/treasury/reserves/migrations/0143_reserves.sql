-- What is owed beside what is held, each time that it was found out; the newest is shown.
CREATE TABLE reserve_reports (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  -- as `florin reserves --json` prints them
  items jsonb NOT NULL,
  -- assets of which it could not be found out, and why: [{asset, why}]
  missing jsonb NOT NULL
);
