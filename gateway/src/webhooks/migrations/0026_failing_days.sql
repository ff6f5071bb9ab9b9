-- The retry of an event decides whether its endpoint is disabled, which needs no count of days.
ALTER TABLE webhook_endpoints DROP COLUMN failing_days, DROP COLUMN failing_day_at;
