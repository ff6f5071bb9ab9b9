-- How a payout had ended before its money left all the same, by bytes that somebody kept.
ALTER TABLE payouts ADD COLUMN ended_as text CHECK (ended_as IN ('cancelled', 'rejected', 'failed'));
-- Those that were paid so before this was noted are reported again and again until now.
UPDATE evm_payouts e SET was_ended = true FROM payouts p
WHERE p.id = e.id AND e.state = 'paid' AND p.status IN ('cancelled', 'rejected', 'failed');
