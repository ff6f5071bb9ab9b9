-- Whose payment it is about as 8 bytes of a hash in place of 49. A tree all the same: one payment may be asked for a
-- million times.
DROP INDEX api_requests_payment;
CREATE INDEX api_requests_payment ON api_requests
  (hashtextextended(integration_id::text || payment_reference, 0), id) WHERE payment_reference IS NOT NULL;
