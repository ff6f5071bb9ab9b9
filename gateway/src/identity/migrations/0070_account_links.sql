-- Links in mails to the owners of accounts. Each is of one account and for one purpose, and works once.
CREATE TABLE account_links (
  -- SHA-256 of what the link carries: nobody who reads this table can use one
  token_hash text PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  purpose text NOT NULL CHECK (purpose IN ('confirm_address', 'change_address', 'reset_password')),
  -- the account's address when the link was made: once it is another, the link is void
  email text NOT NULL,
  new_email text,
  expires_at timestamptz NOT NULL,
  CHECK ((new_email IS NOT NULL) = (purpose = 'change_address'))
);
CREATE INDEX account_links_account ON account_links (account_id, purpose);
CREATE INDEX account_links_expiry ON account_links (expires_at);
