-- Attempts are divided by the time of their delivery, and leave by whole parts (0600). What there is becomes the first part.
-- New parts have the columns in this order, in which nothing is lost between them.
ALTER TABLE delivery_attempts RENAME TO delivery_attempts_rest;
ALTER INDEX delivery_attempts_pkey RENAME TO delivery_attempts_rest_pkey;
CREATE TABLE delivery_attempts (
  at timestamptz NOT NULL,
  n integer NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  delivery_id uuid NOT NULL,
  error text,
  request_headers text,
  response_headers text,
  response text,
  injected_fault text,
  PRIMARY KEY (delivery_id, n)
) PARTITION BY RANGE (delivery_id);
ALTER TABLE delivery_attempts ATTACH PARTITION delivery_attempts_rest DEFAULT;
SELECT keep_parts('delivery_attempts', 7) FROM generate_series(1, 3) WHERE NOT EXISTS (SELECT FROM delivery_attempts);
