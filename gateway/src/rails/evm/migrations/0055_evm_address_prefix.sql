-- Thousands of a window's receivers are looked for at once. By their first four bytes that takes a third of the
-- time among a million addresses: the index is a third of the size, and numbers are compared at once.
ALTER TABLE evm_addresses
  ADD COLUMN prefix integer NOT NULL
    GENERATED ALWAYS AS (('x' || substr(address, 3, 8))::bit(32)::integer) STORED;
CREATE INDEX evm_addresses_prefix ON evm_addresses (prefix);
