-- When the link with which a customer claims a refund was last mailed, and to whom.
ALTER TABLE payment_refunds ADD COLUMN link_mailed_at timestamptz, ADD COLUMN link_mailed_to text;
