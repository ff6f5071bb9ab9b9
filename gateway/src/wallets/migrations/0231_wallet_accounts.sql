-- How users of wallets sign in. The tables of the dashboard's accounts are others.
ALTER TABLE users
  ADD COLUMN email text,
  -- whether a link that was mailed to it was opened
  ADD COLUMN email_confirmed boolean NOT NULL DEFAULT false,
  -- the language of the last page they saw, for mails
  ADD COLUMN locale text NOT NULL DEFAULT 'en',
  ADD CONSTRAINT users_email CHECK (email IS NOT NULL OR NOT email_confirmed);

CREATE TABLE user_sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  -- the SHA-256 of what the cookie carries
  token text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  -- when it was last used, to the hour
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- when the user last proved who they are
  proved_at timestamptz NOT NULL,
  -- when they last proved it by a second factor
  factor_at timestamptz,
  address text NOT NULL,
  user_agent text
);
CREATE INDEX user_sessions_user ON user_sessions (user_id, seen_at);
CREATE INDEX user_sessions_expiry ON user_sessions (expires_at);

-- Codes of an authenticator app (RFC 6238). The secret is sealed.
CREATE TABLE user_factors (
  user_id uuid PRIMARY KEY REFERENCES users,
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- null until a first code was right
  confirmed_at timestamptz,
  -- the time step of the last code that was taken: a code is good once
  last_step integer NOT NULL DEFAULT 0
);
CREATE TRIGGER sealed_with_key AFTER INSERT OR UPDATE OF secret ON user_factors
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('secret');

-- By their SHA-256; each is good once.
CREATE TABLE user_recovery_codes (
  user_id uuid NOT NULL REFERENCES users,
  code_hash text NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE user_passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  name text NOT NULL,
  -- in base64url
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- 32 bits without a sign, read as a number
  counter float8 NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX user_passkeys_user ON user_passkeys (user_id, created_at);

-- Links in mails, second steps of a sign-in and challenges of passkeys, by the SHA-256 of what names them. Each is good
-- once, and only until its time.
CREATE TABLE user_tokens (
  token_hash text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('confirm_email', 'reset_password', 'second_step', 'passkey')),
  -- null: a challenge for whoever has a passkey
  user_id uuid REFERENCES users,
  -- the address that the link was mailed to, or the challenge
  value text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX user_tokens_user ON user_tokens (user_id, purpose);
CREATE INDEX user_tokens_expiry ON user_tokens (expires_at);

CREATE TABLE wallet_invitations (
  code_hash text PRIMARY KEY,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_by uuid UNIQUE REFERENCES users
);

-- A user's own changes of how they sign in are in the audit log.
ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS audit_log_actor_kind_check;
ALTER TABLE audit_log ADD CONSTRAINT audit_log_actor_kind_check
  CHECK (actor_kind IN ('account', 'key', 'command', 'gateway', 'user'));
