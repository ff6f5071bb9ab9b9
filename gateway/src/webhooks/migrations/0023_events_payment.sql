-- What was told of one payment, for its page.
CREATE INDEX events_payment ON events (payment_id);
