-- The vault says that it has paid an order that is queued, and the event of that is not known yet: it is not taken back.
ALTER TABLE evm_payouts ADD COLUMN said_paid boolean NOT NULL DEFAULT false;
