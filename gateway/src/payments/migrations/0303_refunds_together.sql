-- Refunds that were ordered as one, a part of it to a wallet: they wait for approval as one.
ALTER TABLE payment_refunds ADD COLUMN together uuid;
