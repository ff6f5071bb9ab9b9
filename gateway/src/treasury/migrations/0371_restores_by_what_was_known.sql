-- The moves that left without an order, and were nobody's, in the backup itself. Whatever else left without an order
-- came to be known since. NULL: noted by a version that compared times; then each counts.
ALTER TABLE treasury_restores ADD COLUMN known_moves uuid[];
