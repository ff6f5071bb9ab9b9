-- How the role that serves forgets old security events, which it may not delete: it runs as its owner, and never takes those of
-- the last 29 days, whatever it is given.
CREATE FUNCTION forget_security_events(before uuid) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  DELETE FROM security_events WHERE id < before AND at < now() - interval '29 days';
END;
