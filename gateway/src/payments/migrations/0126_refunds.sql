-- Refunds that merchants and customers ask for, each of one asset of a payment; payouts carry them.

ALTER TABLE payment_refunds DROP CONSTRAINT payment_refunds_state_check, DROP CONSTRAINT payment_refunds_ordered;
DROP INDEX payment_refunds_owed;
DROP INDEX payment_refunds_transfer;
ALTER TABLE payment_refunds RENAME COLUMN state TO status;
ALTER TABLE payment_refunds RENAME COLUMN send_id TO payout_id;
ALTER TABLE payment_refunds RENAME COLUMN sent_at TO completed_at;
ALTER TABLE payment_refunds RENAME COLUMN fault TO failure;
ALTER TABLE payment_refunds DROP CONSTRAINT payment_refunds_check;

ALTER TABLE payment_refunds
  -- of which it is made up: the customer's overpayment, the business's share, the fee, and what was not settled
  ADD COLUMN from_overpayment numeric(78,0) NOT NULL DEFAULT 0,
  ADD COLUMN from_business numeric(78,0) NOT NULL DEFAULT 0,
  ADD COLUMN from_fees numeric(78,0) NOT NULL DEFAULT 0,
  ADD COLUMN from_suspense numeric(78,0) NOT NULL DEFAULT 0,
  -- an appeal ended with it: it is owed until it is sent, and nobody can cancel it
  ADD COLUMN is_owed boolean NOT NULL DEFAULT false,
  ADD COLUMN reason text,
  -- the user whose wallet got it back
  ADD COLUMN wallet text,
  -- when its event `payment_refunded` was written
  ADD COLUMN announced_at timestamptz;

-- Refunds of before came from appeals alone. An order that is under way becomes a payout of the same id.
INSERT INTO payouts (id, integration_id, mode, purpose, cause_id, status, asset, units, fee, rail, debit_kind, debit_owner,
  credit_owner, hold_id, destination, memo, approvals_needed, operator_approvals_needed, requester, created_at, updated_at)
SELECT r.payout_id, p.integration_id, p.mode, 'refund', p.id, 'queued', r.asset, r.units, 0, r.rail, 'payable',
  p.integration_id::text, r.rail, r.payout_id, r.destination, r.memo, 0, 0, 'operator', r.ordered_at, r.ordered_at
FROM payment_refunds r JOIN payments p ON p.id = r.payment_id
WHERE r.status = 'sending';
INSERT INTO payout_moves (payout_id, version, at, to_status)
SELECT payout_id, 1, ordered_at, 'queued' FROM payment_refunds WHERE status = 'sending';

-- What an order had failed to do leaves the address that it was for.
UPDATE payment_refunds SET payout_id = NULL, destination = NULL, memo = NULL WHERE status = 'requested';
-- All of them count as announced: the end of their appeal was.
UPDATE payment_refunds SET from_suspense = units, is_owed = true, announced_at = created_at,
  status = CASE status WHEN 'requested' THEN 'awaiting_destination' WHEN 'sending' THEN 'queued' WHEN 'sent' THEN 'completed'
    WHEN 'void' THEN 'cancelled' END,
  failure = CASE status WHEN 'void' THEN 'The deposit left its chain' ELSE failure END;

ALTER TABLE payment_refunds DROP COLUMN rail, DROP COLUMN key, DROP COLUMN ordered_at;
ALTER TABLE payment_refunds
  ADD CONSTRAINT payment_refunds_status CHECK (status IN ('awaiting_destination', 'awaiting_approval', 'queued', 'sending',
    'completed', 'cancelled')),
  ADD CONSTRAINT payment_refunds_parts
    CHECK (units = from_overpayment + from_business + from_fees + from_suspense),
  ADD CONSTRAINT payment_refunds_waiting CHECK (status <> 'awaiting_destination' OR payout_id IS NULL);
CREATE INDEX payment_refunds_owed ON payment_refunds (id)
  WHERE status IN ('awaiting_destination', 'awaiting_approval', 'queued', 'sending');

ALTER TABLE payments
  -- refunds of it exist: what is booked for it is net of them
  ADD COLUMN has_refunds boolean NOT NULL DEFAULT false,
  -- its shares were booked back to suspense, and not settled anew
  ADD COLUMN shares_reversed boolean NOT NULL DEFAULT false;
UPDATE payments SET has_refunds = true WHERE id IN (SELECT payment_id FROM payment_refunds);
UPDATE payments p SET shares_reversed = true
WHERE status = 'in-appeal' AND reason = 'disputed' AND coalesce((
  SELECT sum(CASE WHEN t.cause IN ('payment_settled', 'payment_fee', 'payment_surplus') THEN t.units ELSE -t.units END)
  FROM ledger_transfers t WHERE t.cause_id = p.id AND t.cause IN ('payment_settled', 'payment_taken_back', 'payment_fee',
    'payment_fee_returned', 'payment_surplus', 'payment_surplus_returned')
), 0) = 0;

-- What an owner set about refunds; without a row the fee is kept.
CREATE TABLE refund_settings (
  integration_id uuid PRIMARY KEY,
  fee_on_refund text NOT NULL CHECK (fee_on_refund IN ('kept', 'returned')),
  -- US cents up to which the link of a payment suffices to claim a refund
  claim_limit_cents integer NOT NULL CHECK (claim_limit_cents >= 0),
  updated_at timestamptz NOT NULL
);

-- Unmatched deposits that are sent back are payouts too.
INSERT INTO payouts (id, mode, purpose, cause_id, status, asset, units, fee, rail, debit_kind, debit_owner, credit_owner,
  hold_id, destination, memo, approvals_needed, operator_approvals_needed, requested_by, requester, created_at, updated_at)
SELECT send_id, 'live', 'unmatched_return', ledger_id, 'queued', asset, units, 0, rail, 'suspense', rail, rail, send_id,
  sent_to, sent_memo, 0, 0, decided_by, 'operator', decided_at, decided_at
FROM unmatched_deposits WHERE state = 'returning';
INSERT INTO payout_moves (payout_id, version, at, to_status)
SELECT send_id, 1, decided_at, 'queued' FROM unmatched_deposits WHERE state = 'returning';
