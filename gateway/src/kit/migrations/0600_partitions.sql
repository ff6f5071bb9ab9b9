-- Tables whose rows leave when they are old are divided by time, and a part leaves as a whole (docs/scale.md#partitions). Each is
-- divided by an id of version 7, which begins with the time: so its unique keys hold as they are, and whoever looks for an id
-- reads one part. The role that serves owns no table, so these functions run as their owner.

-- Sorts before every id of that millisecond.
CREATE FUNCTION first_id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
RETURN rpad(lpad(to_hex(greatest(floor(extract(epoch FROM at) * 1000)::bigint, 0)), 12, '0'), 32, '0')::uuid;

-- The time in an id.
CREATE FUNCTION time_of_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
RETURN to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0::float8);

-- The parts of a table: `since` (NULL: from the beginning) up to but without `until`. The rest takes what has no part.
CREATE FUNCTION parts_of(whole regclass) RETURNS TABLE (part regclass, since timestamptz, until timestamptz, is_rest boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT c.oid::regclass, time_of_id(substring(b.bound FROM 'FROM \(''([0-9a-f-]{36})''\)')::uuid),
    time_of_id(substring(b.bound FROM 'TO \(''([0-9a-f-]{36})''\)')::uuid), b.bound = 'DEFAULT'
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) b
  WHERE i.inhparent = whole;
END;

-- Makes the parts of the next time, `days` days each, two of them ahead at least. What stood in the table before it was
-- divided, or came from long ago, becomes a part of its own, without moving a row: a rule that it is older is added, checked
-- while others read and write, and then known. Each call does one step: returns true where there is more to do. Waits for a
-- lock no longer than others can wait behind it: it fails with a lock timeout then, and is to be called again later.
CREATE FUNCTION keep_parts(whole regclass, days integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET lock_timeout = '200ms' SET timezone = 'UTC' SET enable_seqscan = on AS $$
DECLARE
  own text := (SELECT relname FROM pg_class WHERE oid = whole);
  key text := (SELECT quote_ident(a.attname) FROM pg_partitioned_table p
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] WHERE p.partrelid = whole);
  columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = whole AND attnum > 0 AND NOT attisdropped);
  rest regclass := (SELECT part FROM parts_of(whole) WHERE is_rest);
  earliest timestamptz;
  latest timestamptz;
  has_beginning boolean;
  rule_until timestamptz;
  is_checked boolean;
  part text;
BEGIN
  IF days IS NULL OR days < 1 OR rest IS NULL THEN RAISE 'not a table that is divided, or no days'; END IF;
  IF NOT pg_try_advisory_xact_lock(706771025, hashtext(own)) THEN RETURN false; END IF;
  SELECT min(since), max(until), coalesce(bool_or(since IS NULL), false) INTO earliest, latest, has_beginning
  FROM parts_of(whole) WHERE NOT is_rest;

  SELECT time_of_id(substring(pg_get_constraintdef(oid) FROM '< ''([0-9a-f-]{36})''')::uuid), convalidated
  INTO rule_until, is_checked FROM pg_constraint WHERE conrelid = rest AND conname = 'is_older';
  IF rule_until IS NOT NULL AND NOT is_checked THEN
    -- Where it was not checked in time, rows of tomorrow must not meet it.
    IF latest IS NULL AND rule_until < now() + interval '1 day' THEN
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT is_older', rest);
    ELSE
      EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT is_older', rest);
    END IF;
    RETURN true;
  ELSIF rule_until IS NOT NULL THEN
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', rest);
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', whole, rest);
    EXECUTE format('ALTER TABLE %s RENAME TO %I', rest, own || '_until_' || to_char(rule_until, 'YYYYMMDD'));
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)',
      whole, rest, first_id_at(rule_until));
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT is_older', rest);
    EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)', own || '_rest', whole);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I DEFAULT', whole, own || '_rest');
    RETURN true;
  ELSIF pg_relation_size(rest) > 8 * 1024 * 1024 AND NOT has_beginning THEN
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT is_older CHECK (%s < %L) NOT VALID', rest, key,
      first_id_at(coalesce(earliest, date_trunc('day', now()) + interval '7 days')));
    RETURN true;
  END IF;

  IF latest > now() + days * interval '2 days' THEN RETURN false; END IF;
  -- After a long time without a gateway the parts of that time are left out.
  earliest := greatest(latest, date_trunc('day', now()));
  latest := earliest + days * interval '1 day';
  part := quote_ident(own || '_' || to_char(earliest, 'YYYYMMDD'));
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING IDENTITY)', part, whole);
  EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', whole);
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', rest);
  -- What came before there was a part for it.
  EXECUTE format('WITH late AS (DELETE FROM %1$s WHERE %2$s >= $1 AND %2$s < $2 RETURNING %3$s)
    INSERT INTO %4$s (%3$s) SELECT %3$s FROM late', rest, key, columns, part)
    USING first_id_at(earliest), first_id_at(latest);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', whole, part,
    first_id_at(earliest), first_id_at(latest));
  RETURN true;
END $$;

-- Everything before this time may leave: that time, or the start of the part that it lies in. What has no part, and the first one,
-- which may be of any length, leave row by row.
CREATE FUNCTION old_until(whole regclass, before timestamptz) RETURNS timestamptz LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT coalesce((SELECT p.since FROM parts_of(whole) p WHERE p.since <= before AND p.until > before), before);
END;

-- Drops the parts that ended before that time, but moves the rows that are kept to the rest; and deletes a batch of what leaves row by
-- row. Returns how many rows it deleted. It waits for locks as `keep_parts` does.
CREATE FUNCTION drop_parts(whole regclass, before timestamptz, kept uuid[] DEFAULT '{}') RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET lock_timeout = '200ms' AS $$
DECLARE
  key text := (SELECT quote_ident(a.attname) FROM pg_partitioned_table p
    JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0] WHERE p.partrelid = whole);
  columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = whole AND attnum > 0 AND NOT attisdropped);
  rest regclass := (SELECT part FROM parts_of(whole) WHERE is_rest);
  old record;
  left_over integer := 5000;
  deleted integer;
BEGIN
  IF rest IS NULL THEN RAISE 'not a table that is divided'; END IF;
  FOR old IN SELECT * FROM parts_of(whole) WHERE until <= before ORDER BY until LOOP
    -- First the part, which a vacuum may hold: who waits for the whole table waits for everybody who writes to it alone.
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', old.part);
    EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', whole, old.part);
    EXECUTE format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM %3$s WHERE %4$s = ANY ($1)',
      rest, columns, old.part, key) USING kept;
    EXECUTE format('DROP TABLE %s', old.part);
  END LOOP;
  FOR old IN SELECT * FROM parts_of(whole) WHERE since IS NULL LOOP
    EXECUTE format('DELETE FROM %1$s WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM %1$s WHERE %2$s < $1 AND %2$s <> ALL ($2) ORDER BY %2$s LIMIT $3))', old.part, key)
      USING first_id_at(before), kept, left_over;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    left_over := left_over - deleted;
  END LOOP;
  RETURN 5000 - left_over;
END $$;

DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION keep_parts SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION drop_parts SET search_path = %I, pg_temp', current_schema());
END $$;
