-- Whose payments they are is 4 bytes of a hash here, in place of an id and a mode, and so is the customer's reference.
DROP INDEX payments_email;
CREATE INDEX payments_email ON payments
  (hashtext(integration_id::text || mode), (lower(customer_email) COLLATE "C"), created_at, id)
  WHERE customer_email IS NOT NULL;
DROP INDEX payments_customer;
CREATE INDEX payments_customer ON payments
  (hashtext(integration_id::text || mode || customer_reference), created_at, id)
  WHERE customer_reference IS NOT NULL;
