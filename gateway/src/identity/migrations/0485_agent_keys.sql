-- A key that ends by itself, and one whose orders above its daily limits wait for a person's approval. valid_until says when a
-- key ends whatever the reason; ends_at is the end that it was made with, until it is rolled or revoked.
ALTER TABLE api_keys
  ADD COLUMN ends_at timestamptz,
  ADD COLUMN asks_above boolean NOT NULL DEFAULT false;
