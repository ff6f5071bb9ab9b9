-- The table `leases` has these now. A mail that a worker was sending is tried again when that lease would have ended.
DROP TABLE test_clock_turns;

UPDATE emails SET next_attempt_at = greatest(next_attempt_at, lease_until)
WHERE lease_until > now() AND sent_at IS NULL AND failed_at IS NULL;
ALTER TABLE emails DROP COLUMN lease, DROP COLUMN lease_until;
