-- What goes wrong on purpose on the way to a test endpoint (chaos.ts); NULL: nothing.
ALTER TABLE webhook_endpoints
  ADD COLUMN chaos jsonb CONSTRAINT webhook_endpoints_chaos CHECK (chaos IS NULL OR mode = 'test');
