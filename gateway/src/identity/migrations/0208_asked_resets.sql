-- Who asked for a link to choose a new password: an address that may have an account or not. Whether it has one is looked up
-- afterwards, so that the answer and its time do not show it.
CREATE TABLE asked_resets (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  asked_at timestamptz NOT NULL
);
