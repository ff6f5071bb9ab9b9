-- Leases of what one process does at a time. A crash of the database empties the table, which sets every lease free;
-- the sequence goes on, so that no fence is given out twice.
CREATE SEQUENCE lease_fences;

CREATE UNLOGGED TABLE leases (
  name text COLLATE "C" PRIMARY KEY,
  holder uuid NOT NULL,
  -- another number for each holder, larger than those before
  fence bigint NOT NULL DEFAULT nextval('lease_fences'),
  -- by the database's clock; from then on another holder may take the lease
  held_until timestamptz NOT NULL
);
