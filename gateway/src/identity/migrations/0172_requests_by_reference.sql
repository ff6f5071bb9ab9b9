-- The requests about a payment are few and sorted when they are found.
DROP INDEX api_requests_payment;
CREATE INDEX api_requests_payment ON api_requests USING hash (payment_reference) WHERE payment_reference IS NOT NULL;
