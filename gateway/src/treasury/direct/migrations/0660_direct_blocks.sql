-- The block of a move, so that a payment finds the release that took its part; NULL: it was booked before this column.
ALTER TABLE direct_moves ADD COLUMN block_number bigint;
CREATE INDEX direct_moves_released ON direct_moves (integration_id, rail, asset, block_number)
  WHERE target = 'merchant';
CREATE INDEX direct_moves_host ON direct_moves (mode, at) WHERE target = 'host';
