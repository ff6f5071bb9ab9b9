-- 'gone': it was read wrong, and what was booked of it is taken back; once that is reported it is noted anew.
ALTER TABLE pi_records DROP CONSTRAINT pi_records_state_check;
ALTER TABLE pi_records ADD CONSTRAINT pi_records_state_check
  CHECK (state IN ('held', 'final', 'unmatched', 'out', 'gone'));
