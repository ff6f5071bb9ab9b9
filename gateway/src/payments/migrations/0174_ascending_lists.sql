-- Read backwards, these give the newest first as well. In the order in which payments are made PostgreSQL fills their pages;
-- each new payment before the last one left every page half empty.
DROP INDEX payments_list;
CREATE INDEX payments_list ON payments (integration_id, mode, created_at, id) INCLUDE (status, currency, amount);
DROP INDEX payments_email;
CREATE INDEX payments_email ON payments (integration_id, mode, (lower(customer_email) COLLATE "C"), created_at, id)
  WHERE customer_email IS NOT NULL;
DROP INDEX payments_customer;
CREATE INDEX payments_customer ON payments (integration_id, mode, customer_reference, created_at, id)
  WHERE customer_reference IS NOT NULL;
DROP INDEX payment_transfers_final;
CREATE INDEX payment_transfers_final ON payment_transfers (ledger_id) WHERE state = 'final';
