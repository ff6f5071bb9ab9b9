-- `tolerance`: how much less than is due completes the payment, in units of its currency; frozen at creation.
-- `short_units`: what a payment was completed with that was completed short, with 18 decimals; NULL for all others.
ALTER TABLE payments ADD COLUMN tolerance numeric(78,0) NOT NULL DEFAULT 0, ADD COLUMN short_units numeric(78,0);
-- Sums of amounts take off what these lack.
CREATE INDEX payments_short ON payments (integration_id, mode, created_at) WHERE short_units IS NOT NULL;
CREATE INDEX payments_short_link ON payments (link_id) WHERE short_units IS NOT NULL AND link_id IS NOT NULL;
