-- What people of a merchant's team are told, and by what.
CREATE TABLE notice_people (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  -- an IANA name; what comes once a day comes at this hour there
  time_zone text NOT NULL DEFAULT 'UTC',
  hour smallint NOT NULL DEFAULT 8 CHECK (hour BETWEEN 0 AND 23),
  -- the private chat with the operator's bot; NULL: none is linked
  telegram_chat bigint,
  telegram_name text,
  telegram_since timestamptz,
  CHECK (num_nonnulls(telegram_chat, telegram_name, telegram_since) IN (0, 3))
);
CREATE INDEX notice_people_telegram ON notice_people (telegram_chat) WHERE telegram_chat IS NOT NULL;

-- What a person chose to be told of an integration, in one mode, by one channel.
CREATE TABLE notice_choices (
  account_id uuid NOT NULL REFERENCES accounts,
  integration_id uuid NOT NULL REFERENCES integrations,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  channel text NOT NULL CHECK (channel IN ('mail', 'day', 'telegram', 'push')),
  kinds text[] NOT NULL,
  PRIMARY KEY (account_id, integration_id, mode, channel)
);

-- Codes that link a chat to an account: one for each person, used once.
CREATE TABLE notice_codes (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  code_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);

-- Browsers that take web push. The subscription says where to send and encrypts for that browser alone.
CREATE TABLE notice_devices (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  -- SHA-256 of the address, by which the same browser is found again
  address_hash bytea NOT NULL UNIQUE,
  -- the subscription as JSON, under the master key
  subscription bytea NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX notice_devices_account ON notice_devices (account_id);

-- The keys by which this installation shows push services who it is (VAPID); made once.
CREATE TABLE notice_keys (
  name text PRIMARY KEY,
  public_key text NOT NULL,
  -- under the master key
  private_key bytea NOT NULL
);

CREATE TRIGGER subscription_with_key AFTER INSERT OR UPDATE OF subscription ON notice_devices
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('subscription');
CREATE TRIGGER private_key_with_key AFTER INSERT OR UPDATE OF private_key ON notice_keys
  FOR EACH ROW EXECUTE FUNCTION assert_master_key('private_key');
