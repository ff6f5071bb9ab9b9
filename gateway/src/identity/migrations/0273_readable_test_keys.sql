-- Test keys can be read again, so restricted ones are sealed too from now on. A restricted live key is kept as a hash alone.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_sealed
  CHECK (CASE WHEN sealed IS NULL THEN kind = 'restricted' ELSE kind = 'signing' OR mode = 'test' END);
