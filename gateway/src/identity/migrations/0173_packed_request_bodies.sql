-- Bodies of the request log are stored apart and compressed, those of several calls in one value: calls are like each
-- other. How a value was packed is its first byte. Rows that were written before keep theirs until they are forgotten.
CREATE TABLE api_request_bodies (
  -- made from the time of its newest call
  id uuid PRIMARY KEY,
  content bytea NOT NULL
);
-- Compressed already.
ALTER TABLE api_request_bodies ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE api_requests
  -- where its bodies are; NULL: it has none, or has them itself
  ADD COLUMN bodies_id uuid,
  ADD COLUMN bodies_place smallint,
  -- NULL: the route itself, with the payment's reference where the route has its name
  ALTER COLUMN path DROP NOT NULL,
  ALTER COLUMN request_cut DROP NOT NULL,
  ALTER COLUMN response_cut DROP NOT NULL;
