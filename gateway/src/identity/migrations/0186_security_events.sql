-- What happened to sign-ins, rights and limits and changed nothing else. Changes are in audit_log. What happens again within a
-- minute is one row with a count, so that strangers cannot fill the table.
CREATE TABLE security_events (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  -- when it happened last, and how often
  until timestamptz NOT NULL,
  count integer NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('account', 'key', 'stranger')),
  actor_id uuid,
  actor_name text NOT NULL,
  -- of IPv6 the /64 network; NULL: many
  address text,
  merchant_id uuid,
  integration_id uuid,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  detail text
);
CREATE INDEX security_events_merchant ON security_events (merchant_id, id DESC) WHERE merchant_id IS NOT NULL;
CREATE INDEX security_events_subject ON security_events (subject_kind, subject_id, id DESC);

-- Up to where operators were told by mail, and when that was last done: one row.
CREATE TABLE security_alerts (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  last_id uuid NOT NULL,
  mailed_at timestamptz
);
INSERT INTO security_alerts (last_id)
  SELECT coalesce((SELECT id FROM audit_log ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000');
