-- A movement that paid nothing has the name of what it becomes: an unmatched deposit.
ALTER TABLE pi_records DROP CONSTRAINT pi_records_state_check;
UPDATE pi_records SET
  state = CASE state WHEN 'stray' THEN 'unmatched' ELSE state END,
  reported_state = CASE reported_state WHEN 'stray' THEN 'unmatched' ELSE reported_state END
WHERE state = 'stray' OR reported_state = 'stray';
ALTER TABLE pi_records ADD CONSTRAINT pi_records_state_check
  CHECK (state IN ('held', 'final', 'unmatched', 'out'));
