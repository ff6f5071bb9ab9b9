-- Where a direct transfer goes, and the host's part of it in basis points: what its splitter was made of.
ALTER TABLE payment_transfers ADD COLUMN own_address text, ADD COLUMN host_points integer;
