-- What an endpoint misses while it is paused or disabled is a delivery with the status `held`, made with the others;
-- a replay makes it pending. Until now it was found again among the events each time.

-- From here on every event that was written before is committed and seen.
LOCK TABLE deliveries, webhook_endpoints IN ACCESS EXCLUSIVE MODE;

-- Rows that exist satisfy the narrower check that it replaces.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_status_check,
  ADD CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'held', 'delivered', 'failed')) NOT VALID;

-- What endpoints missed so far and have no delivery of: the gap of each, what a replay that goes on has still to queue,
-- and what was being written while an endpoint was activated, which is due.
WITH gap (endpoint_id, after, until, since, status) AS (
  SELECT id, missed_after, missed_until, NULL::timestamptz, 'held' FROM webhook_endpoints WHERE missed_after IS NOT NULL
  UNION ALL
  SELECT endpoint_id, missed_after, missed_until, since, 'held' FROM webhook_replays
  WHERE finished_at IS NULL AND missed_after < missed_until
  UNION ALL
  SELECT id, settle_after, NULL, NULL, 'pending' FROM webhook_endpoints WHERE settle_after IS NOT NULL
)
INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, next_attempt_at, created_at)
SELECT DISTINCT ON (w.id, e.id) w.id, (substr(e.id::text, 1, 18) || substr(gen_random_uuid()::text, 19))::uuid, e.id,
  e.integration_id, e.mode, gap.status, CASE gap.status WHEN 'pending' THEN now() END, e.created_at
FROM gap
JOIN webhook_endpoints w ON w.id = gap.endpoint_id AND w.deleted_at IS NULL
JOIN events e ON e.integration_id = w.integration_id AND e.mode = w.mode AND e.type = ANY (w.events)
  AND e.seq > gap.after AND (gap.until IS NULL OR e.seq <= gap.until) AND (gap.since IS NULL OR e.created_at >= gap.since)
WHERE e.only_endpoint_id IS NULL AND e.about_endpoint_id IS DISTINCT FROM w.id
  AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.endpoint_id = w.id)
ORDER BY w.id, e.id, gap.status DESC;

CREATE INDEX deliveries_held ON deliveries (endpoint_id, id) WHERE status = 'held';

-- A replay goes through failed and held deliveries by their ids, or through those of one kind.
ALTER TABLE webhook_replays ADD COLUMN part text CHECK (part IN ('failed', 'missed'));
UPDATE webhook_replays r
SET part = CASE WHEN failed_after >= failed_until THEN 'missed' WHEN missed_after >= missed_until THEN 'failed' END,
  failed_after = CASE WHEN missed_after >= missed_until THEN failed_after ELSE (
    SELECT substr(ms, 1, 8) || '-' || substr(ms, 9) || '-0000-0000-000000000000'
    FROM lpad(to_hex(coalesce(floor(extract(epoch FROM since) * 1000), 0)::bigint), 12, '0') AS ms
  )::uuid END,
  failed_until = CASE WHEN missed_after >= missed_until THEN failed_until ELSE greatest(failed_until, (
    SELECT id FROM deliveries d WHERE d.endpoint_id = r.endpoint_id AND d.status = 'held' ORDER BY id DESC LIMIT 1
  )) END
WHERE finished_at IS NULL;
ALTER TABLE webhook_replays RENAME COLUMN failed_after TO after_id;
ALTER TABLE webhook_replays RENAME COLUMN failed_until TO until_id;
ALTER TABLE webhook_replays DROP COLUMN missed_after, DROP COLUMN missed_until;

-- `missing_since` stays: since when an endpoint that is off has been, and until the next time it is turned off.
ALTER TABLE webhook_endpoints
  DROP COLUMN missed_after, DROP COLUMN missed_until, DROP COLUMN settle_after, DROP COLUMN settle_at;
