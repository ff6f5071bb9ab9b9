-- How much less than is due still completes a payment: percent of it, and at most so many US dollars. None unless the
-- merchant sets it.
ALTER TABLE integrations ADD COLUMN short_tolerance jsonb NOT NULL DEFAULT '{"percent": 0, "most": "5.00"}';
