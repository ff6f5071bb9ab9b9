-- Fundings that people approved before the other system is asked. Their state is one of their own, so that a gateway of
-- the version before, which knows no payout behind them, leaves them alone.
ALTER TABLE remote_fundings ADD COLUMN payout_id uuid;
ALTER TABLE remote_fundings DROP CONSTRAINT remote_fundings_state_check, ADD CONSTRAINT remote_fundings_state_check
  CHECK (state IN ('pending', 'ordered', 'posted', 'voided'));
CREATE INDEX remote_fundings_open ON remote_fundings (next_try_at) WHERE state IN ('pending', 'ordered');
