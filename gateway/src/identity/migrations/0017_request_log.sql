-- What an integration's keys asked for and what they were answered: for people who look for a fault, kept 30 days.
-- Ids are made from the time of the request. Bodies are cut at 8 KiB, and without secrets.
CREATE TABLE api_requests (
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  id uuid NOT NULL,
  key_id uuid NOT NULL,
  method text NOT NULL,
  -- as it is registered, and as it was asked for
  route text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  duration_ms real NOT NULL,
  address text NOT NULL,
  request_id uuid NOT NULL,
  error text,
  payment_reference text,
  request_body text,
  request_cut boolean NOT NULL,
  response_body text,
  response_cut boolean NOT NULL,
  PRIMARY KEY (integration_id, mode, id)
);
CREATE INDEX api_requests_payment ON api_requests (integration_id, payment_reference, id)
  WHERE payment_reference IS NOT NULL;
-- For forgetting, which reads from one end of the table: a tree would cost every insert.
CREATE INDEX api_requests_age ON api_requests USING brin (id) WITH (autosummarize = on);

-- Requests that were answered but not written here, because they came faster than they could be.
CREATE TABLE api_request_gaps (
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  at timestamptz NOT NULL,
  dropped integer NOT NULL
);
CREATE INDEX api_request_gaps_owner ON api_request_gaps (integration_id, mode, at);
