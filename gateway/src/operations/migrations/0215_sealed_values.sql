-- The master keys of this installation. The keys themselves are never in the database.
CREATE TABLE master_keys (
  -- 16 hexadecimal digits, which follow from the key
  id text COLLATE "C" PRIMARY KEY,
  -- announced: no value has it yet. active: new values are sealed with it. old: values are still opened with it.
  state text NOT NULL CHECK (state IN ('announced', 'active', 'old', 'dropped')),
  -- a text sealed under it, by which the key is checked
  proof bytea NOT NULL,
  -- when this installation first knew it
  since timestamptz NOT NULL,
  dropped_at timestamptz,
  CHECK ((state = 'dropped') = (dropped_at IS NOT NULL))
);
CREATE UNIQUE INDEX master_keys_active ON master_keys (state) WHERE state = 'active';

-- Other secrets of the installation, such as the one that signs cookies. They outlive the master key.
CREATE TABLE derived_keys (
  purpose text COLLATE "C" PRIMARY KEY,
  sealed bytea NOT NULL
);

-- One row once every value from before the envelope was sealed under it.
CREATE TABLE envelopes (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  complete_at timestamptz NOT NULL
);

-- A value's first byte says how it is kept: 1 under the envelope, 0 sealed without one, 255 not sealed. The first start
-- with the master key brings them all under the envelope.
UPDATE api_keys SET sealed = '\x00'::bytea || sealed WHERE sealed IS NOT NULL;
UPDATE webhook_endpoints SET secret = '\x00'::bytea || secret, headers = '\x00'::bytea || headers;
-- What names the place of an old secret.
ALTER TABLE webhook_old_secrets ADD COLUMN id uuid PRIMARY KEY DEFAULT gen_random_uuid();
UPDATE webhook_old_secrets SET secret = '\x00'::bytea || secret;
ALTER TABLE two_factors
  ALTER COLUMN secret TYPE bytea USING '\xff'::bytea || convert_to(secret, 'UTF8'),
  ALTER COLUMN recovery_codes TYPE bytea USING '\xff'::bytea || convert_to(recovery_codes, 'UTF8');

-- Text and HTML of a mail, as JSON under the envelope; NULL once it was sent.
ALTER TABLE emails ADD COLUMN letter bytea;
UPDATE emails SET letter = '\xff'::bytea || convert_to(jsonb_build_object('text', text, 'html', html)::text, 'UTF8')
WHERE text IS NOT NULL;
ALTER TABLE emails DROP COLUMN text, DROP COLUMN html;

-- Whatever a process believes, no value is kept under a key that was dropped, or that not every process has yet.
CREATE FUNCTION assert_master_key() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sealed bytea;
BEGIN
  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO sealed USING NEW;
  IF sealed IS NULL OR NOT EXISTS (SELECT FROM master_keys) THEN
    RETURN NULL;
  END IF;
  PERFORM FROM master_keys
  WHERE id = encode(substring(sealed FROM 2 FOR 8), 'hex') AND state IN ('active', 'old') FOR SHARE;
  IF NOT FOUND OR get_byte(sealed, 0) <> 1 THEN
    RAISE EXCEPTION 'a value of %.% is not sealed with a master key that is in use', TG_TABLE_NAME, TG_ARGV[0];
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER sealed_with_key AFTER INSERT OR UPDATE OF sealed ON api_keys
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('sealed');
CREATE TRIGGER secret_with_key AFTER INSERT OR UPDATE OF secret ON webhook_endpoints
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('secret');
CREATE TRIGGER headers_with_key AFTER INSERT OR UPDATE OF headers ON webhook_endpoints
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('headers');
CREATE TRIGGER secret_with_key AFTER INSERT OR UPDATE OF secret ON webhook_old_secrets
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('secret');
CREATE TRIGGER secret_with_key AFTER INSERT OR UPDATE OF secret ON two_factors
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('secret');
CREATE TRIGGER recovery_codes_with_key AFTER INSERT OR UPDATE OF recovery_codes ON two_factors
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('recovery_codes');
CREATE TRIGGER letter_with_key AFTER INSERT OR UPDATE OF letter ON emails
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('letter');
CREATE TRIGGER sealed_with_key AFTER INSERT OR UPDATE OF sealed ON derived_keys
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('sealed');

-- Which master keys a process has, and which one it seals with.
ALTER TABLE gateway_processes
  ADD COLUMN master_keys text[] NOT NULL DEFAULT '{}',
  ADD COLUMN sealing_key text;
