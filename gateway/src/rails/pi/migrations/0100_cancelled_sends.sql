-- An order may be taken back as long as nothing is signed.
ALTER TABLE pi_sends
  DROP CONSTRAINT pi_sends_state_check,
  ADD CONSTRAINT pi_sends_state_check CHECK (state IN ('queued', 'signed', 'settled', 'failed', 'cancelled')),
  DROP CONSTRAINT pi_sends_check1,
  ADD CONSTRAINT pi_sends_ended CHECK ((ended_at IS NOT NULL) = (state IN ('settled', 'failed', 'cancelled')));
