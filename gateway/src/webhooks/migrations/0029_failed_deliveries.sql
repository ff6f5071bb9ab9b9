-- What operators see of every merchant at once.
CREATE INDEX deliveries_dead ON deliveries (id DESC) WHERE status = 'failed';
