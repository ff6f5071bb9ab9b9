-- People who sign in to the dashboard. better-auth keeps the tables down to passkeys, under names of our own.
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  -- in lower case
  email text NOT NULL UNIQUE,
  email_verified boolean NOT NULL DEFAULT false,
  name text NOT NULL,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  -- runs this installation; better-auth knows nothing of it
  is_operator boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE credentials (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  -- 'credential' is the password
  provider text NOT NULL,
  provider_account_id text NOT NULL,
  password_hash text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (account_id, provider)
);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  -- the SHA-256 of what the cookie carries: whoever reads this table can sign in as nobody
  token text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  -- when it was last used, to the hour
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- when the person last confirmed that it is them
  confirmed_at timestamptz,
  address text,
  user_agent text
);
CREATE INDEX sessions_account ON sessions (account_id, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Links in mails, second steps of a sign-in and challenges of passkeys, by a hash of what names them.
CREATE TABLE verifications (
  id uuid PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX verifications_identifier ON verifications (identifier, created_at);
CREATE INDEX verifications_expiry ON verifications (expires_at);

-- Secret and recovery codes are encrypted. A code is good once (RFC 6238, 5.2): those of the last minutes are kept.
CREATE TABLE two_factors (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL UNIQUE REFERENCES accounts,
  secret text NOT NULL,
  recovery_codes text NOT NULL,
  used_codes text[] NOT NULL DEFAULT '{}',
  used_at timestamptz NOT NULL DEFAULT '-infinity'
);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text,
  credential_id text NOT NULL UNIQUE,
  public_key text NOT NULL,
  -- 32 bits without a sign, read as a number
  counter float8 NOT NULL,
  device_type text NOT NULL,
  backed_up boolean NOT NULL,
  transports text,
  aaguid text,
  created_at timestamptz
);
CREATE INDEX passkeys_account ON passkeys (account_id, created_at);

-- E-mails on their way. The texts are dropped once they are sent: they hold links that let people in.
CREATE TABLE emails (
  id uuid PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text,
  html text,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  last_error text,
  -- fencing number of the worker that sends it, and until when it may
  lease integer NOT NULL DEFAULT 0,
  lease_until timestamptz,
  sent_at timestamptz,
  failed_at timestamptz
);
CREATE INDEX emails_due ON emails (next_attempt_at) WHERE sent_at IS NULL AND failed_at IS NULL;
CREATE INDEX emails_sent ON emails (sent_at) WHERE sent_at IS NOT NULL;
