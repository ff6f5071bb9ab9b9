-- Activating an endpoint queues what was held for it. Until all of that is queued, new events are held too, so that they
-- come after it. Endpoints that were activated before keep what is held for them until a replay.
ALTER TABLE webhook_endpoints ADD COLUMN catching_up boolean NOT NULL DEFAULT false;
CREATE INDEX webhook_endpoints_catching_up ON webhook_endpoints (id) WHERE catching_up;
