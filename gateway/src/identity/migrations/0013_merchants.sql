-- A business, whose members see its integrations together.
CREATE TABLE merchants (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE members (
  merchant_id uuid NOT NULL REFERENCES merchants,
  account_id uuid NOT NULL REFERENCES accounts,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'finance', 'support', 'read-only')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, account_id)
);
CREATE INDEX members_account ON members (account_id);

-- The link in the mail carries a token; only its hash is kept.
CREATE TABLE invitations (
  id uuid PRIMARY KEY,
  merchant_id uuid NOT NULL REFERENCES merchants,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'finance', 'support', 'read-only')),
  token_hash bytea NOT NULL UNIQUE,
  invited_by uuid NOT NULL REFERENCES accounts,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX invitations_merchant ON invitations (merchant_id, created_at DESC);

-- NULL for those made on the command line, which only operators see.
ALTER TABLE integrations ADD COLUMN merchant_id uuid REFERENCES merchants;
CREATE INDEX integrations_merchant ON integrations (merchant_id, created_at);

-- Who changed what, from where. Ids are made from the time, so that they sort by it.
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('account', 'key', 'command', 'gateway')),
  actor_id uuid,
  -- as it was then: an e-mail address, or the end of a key
  actor_name text NOT NULL,
  -- the actor was an operator acting as one
  as_operator boolean NOT NULL,
  address text,
  merchant_id uuid,
  integration_id uuid,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  before jsonb,
  after jsonb
);
CREATE INDEX audit_log_merchant ON audit_log (merchant_id, id DESC) WHERE merchant_id IS NOT NULL;
CREATE INDEX audit_log_operator ON audit_log (id DESC) WHERE as_operator;
CREATE INDEX audit_log_subject ON audit_log (subject_kind, subject_id, id DESC);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What operators tell everybody who works in the dashboard.
CREATE TABLE announcements (
  id uuid PRIMARY KEY,
  text text NOT NULL,
  tone text NOT NULL CHECK (tone IN ('quiet', 'waiting', 'lost')),
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
