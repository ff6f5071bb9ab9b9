-- What operators see of every merchant at once.
CREATE INDEX deliveries_failed ON deliveries (id DESC) WHERE status = 'failed';
