-- A closed account keeps its id, which other rows name; its address and its name are gone.
ALTER TABLE accounts ADD COLUMN closed_at timestamptz;
COMMENT ON COLUMN audit_log.actor_name IS
  'the end of a key or the like; of people empty, since accounts has their address. Rows of before have it here.';
