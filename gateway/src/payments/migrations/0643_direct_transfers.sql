-- A transfer to an address whose money goes to the merchant's own: it counts for the payment, and is never the gateway's.
ALTER TABLE payment_transfers ADD COLUMN is_direct boolean NOT NULL DEFAULT false;
