-- What the entries of an account up to a number come to, by month (UTC) and cause, so that a statement need not
-- add up every line there ever was. What has come since is added up when it is asked for. Entries of an account
-- with a stored balance become visible in the order of their numbers, because its row is locked first.
CREATE TABLE ledger_month_totals (
  account bigint NOT NULL,
  -- 2026-03
  month text NOT NULL,
  cause text NOT NULL,
  incoming numeric(78,0) NOT NULL,
  outgoing numeric(78,0) NOT NULL,
  lines integer NOT NULL,
  -- all of these lines lie between these two
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  PRIMARY KEY (account, month, cause)
);

-- How far each account has been added up.
CREATE TABLE ledger_counted (
  account bigint PRIMARY KEY,
  seq bigint NOT NULL
);

-- One account may have nearly all lines and the next one none since last year. Plans are made as if each had a
-- few, so that they go by the account's own index and not through everybody's lines in search of its own.
ALTER TABLE ledger_entries ALTER COLUMN account SET (n_distinct = -0.5);
ANALYZE ledger_entries;
