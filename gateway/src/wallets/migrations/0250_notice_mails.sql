-- Whether a notice is still to be mailed to its user. Those of before are not.
ALTER TABLE wallet_notices ADD COLUMN mail_due boolean NOT NULL DEFAULT false;
CREATE INDEX wallet_notices_mail_due ON wallet_notices (seq) WHERE mail_due;
