-- What customers pay inside the Pi Browser: a payment that the Pi platform keeps, from our approval to our word that
-- its transaction came. Its identifier is the memo of that transaction, and stands in pi_memos as well.
CREATE TABLE pi_platform_payments (
  identifier text COLLATE "C" PRIMARY KEY,
  payment_id uuid NOT NULL,
  -- the customer, as the platform names each one to each app
  user_uid text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  -- 'created': noted, and perhaps approved. 'approved': the customer can sign. 'paid': its transaction is on the
  -- chain. 'completed': the platform confirmed it. 'cancelled': nothing came, and nothing is expected. 'refused':
  -- money came that the platform does not confirm.
  state text NOT NULL CHECK (state IN ('created', 'approved', 'paid', 'completed', 'cancelled', 'refused')),
  txid text COLLATE "C",
  -- when it is cancelled, unless a transaction is known by then
  expires_at timestamptz NOT NULL,
  -- when the platform is asked about it again, by the gateway's clock; NULL: never
  next_check_at timestamptz,
  -- how often it was, since something was learned
  checks integer NOT NULL DEFAULT 0,
  -- what stood in the way when it was last asked
  fault text,
  -- when the platform first refused what was asked of it; a refusal some time later is for good
  refused_at timestamptz,
  created_at timestamptz NOT NULL,
  paid_at timestamptz,
  settled_at timestamptz,
  CHECK (state NOT IN ('paid', 'completed', 'refused') OR txid IS NOT NULL),
  CHECK ((next_check_at IS NULL) = (state IN ('completed', 'cancelled', 'refused'))),
  CHECK ((settled_at IS NULL) = (next_check_at IS NOT NULL))
);
CREATE INDEX pi_platform_payments_due ON pi_platform_payments (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX pi_platform_payments_paid ON pi_platform_payments (paid_at) WHERE state = 'paid';
CREATE INDEX pi_platform_payments_payment ON pi_platform_payments (payment_id);
-- Two that can be signed would both pay.
CREATE UNIQUE INDEX pi_platform_payments_open ON pi_platform_payments (payment_id)
  WHERE state IN ('created', 'approved');
