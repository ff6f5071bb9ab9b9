-- The last rate that a source gave for each currency: a restart while every source is down forgets none (contract.md 6).
CREATE TABLE known_rates (
  currency text PRIMARY KEY,
  usd text NOT NULL,
  at timestamptz NOT NULL
);
