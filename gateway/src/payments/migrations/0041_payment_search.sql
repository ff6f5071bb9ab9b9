-- The list carries what its filters ask for, so that a page is found, or found empty, in the index alone. A
-- payment that is not yet vacuumed is looked up in the table, hence vacuum early.
DROP INDEX payments_list;
CREATE INDEX payments_list ON payments (integration_id, mode, created_at DESC, id DESC)
  INCLUDE (status, currency, amount);
ALTER TABLE payments SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- The statuses that few payments have. Those that still wait to be paid are few among what is due.
CREATE INDEX payments_status ON payments (integration_id, mode, status, created_at DESC, id DESC)
  WHERE status IN ('linked', 'pending', 'failed', 'in-appeal');

-- What a person should look at: money that came after the deadline, too little of it, too much of it.
ALTER TABLE payments
  ADD COLUMN is_late boolean NOT NULL DEFAULT false,
  ADD COLUMN is_part_paid boolean NOT NULL DEFAULT false,
  ADD COLUMN is_overpaid boolean NOT NULL DEFAULT false;
CREATE INDEX payments_late ON payments (integration_id, mode, created_at DESC, id DESC) WHERE is_late;
CREATE INDEX payments_part_paid ON payments (integration_id, mode, created_at DESC, id DESC) WHERE is_part_paid;
CREATE INDEX payments_overpaid ON payments (integration_id, mode, created_at DESC, id DESC) WHERE is_overpaid;
UPDATE payments p SET
  is_late = EXISTS (SELECT FROM payment_transfers t
    WHERE t.payment_id = p.id AND t.state <> 'gone' AND t.seen_at > p.deadline),
  is_part_paid = p.reason IS NOT DISTINCT FROM 'part_paid',
  is_overpaid = EXISTS (SELECT FROM ledger_transfers l
    WHERE l.cause_id = p.id AND l.cause = 'payment_surplus')
WHERE EXISTS (SELECT FROM payment_transfers t WHERE t.payment_id = p.id);

-- What a person may search for. Every index is partial: a payment without the field costs nothing.
CREATE INDEX payments_email ON payments
  (integration_id, mode, (lower(customer_email) COLLATE "C"), created_at DESC, id DESC)
  WHERE customer_email IS NOT NULL;
CREATE INDEX payments_customer ON payments (integration_id, mode, customer_reference, created_at DESC, id DESC)
  WHERE customer_reference IS NOT NULL;
-- The values inside meta_data as numbers, since meta_data itself is kept as it was sent. The index is written
-- in bulk: an entry of its own for every value of every payment would slow down their creation.
ALTER TABLE payments ADD COLUMN meta_terms bigint[];
CREATE INDEX payments_meta ON payments USING gin (meta_terms)
  WITH (fastupdate = on, gin_pending_list_limit = 1024) WHERE meta_terms IS NOT NULL;

ALTER TABLE payment_transfers ADD COLUMN sender text;
CREATE INDEX payment_transfers_transaction ON payment_transfers (transaction);
CREATE INDEX payment_transfers_sender ON payment_transfers (sender) WHERE sender IS NOT NULL;
CREATE INDEX payment_claims_paid ON payment_claims (content) WHERE kind = 'paid';
