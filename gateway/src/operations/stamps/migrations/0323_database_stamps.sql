-- The database writes each stamp itself: whoever inserts one names a book, how far it reaches, and the time. All else is
-- computed here, whatever was given, so that no row that the role that serves adds breaks the chain. Functions with a body in
-- SQL name their tables once and for all, so that no temporary table of that name is read.

-- What is hashed of the rows of each book from a number to another: version 1 of `books.ts`.
CREATE FUNCTION stamp_rows(wanted text, first bigint, last bigint)
RETURNS TABLE (rows integer, digest bytea, marks bytea) LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH hashed AS (
    SELECT e.seq AS at, sha256(record_send(ROW(e.seq, e.account, e.transfer, e.units,
      t.id, t.debit, t.credit, t.units, t.cause, t.cause_id, t.created_at, t.key_id, t.address))) AS hash
    FROM ledger_entries e LEFT JOIN ledger_transfers t ON t.id = e.transfer AND e.units < 0
    WHERE wanted = 'ledger' AND e.seq BETWEEN first AND last
    UNION ALL
    SELECT a.id, sha256(record_send(ROW(a.id, a.kind, a.owner, a.mode, a.asset, a.stored)))
    FROM ledger_accounts a WHERE wanted = 'accounts' AND a.id BETWEEN first AND last
    UNION ALL
    SELECT l.seq, sha256(record_send(ROW(l.seq, l.id, l.at, l.actor_kind, l.actor_id, l.actor_name, l.as_operator,
      l.address, l.merchant_id, l.integration_id, l.action, l.subject_kind, l.subject_id, l.before, l.after)))
    FROM audit_log l WHERE wanted = 'audit' AND l.seq BETWEEN first AND last
  )
  SELECT count(*)::integer, sha256(coalesce(string_agg(hash, ''::bytea ORDER BY at, hash), ''::bytea)),
    coalesce(string_agg(substr(hash, 1, 2), ''::bytea ORDER BY at, hash), ''::bytea)
  FROM hashed;
END;

-- The newest stamp, up to which number the book is stamped, and up to which its numbers were given out.
CREATE FUNCTION stamp_place(wanted text)
RETURNS TABLE (number bigint, hash bytea, stamped bigint, given bigint) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT coalesce(newest.number, 0), coalesce(newest.hash, '\x0000000000000000000000000000000000000000000000000000000000000000'),
    coalesce((SELECT s.to_seq FROM stamps s WHERE s.book = wanted ORDER BY s.to_seq DESC LIMIT 1), 0),
    CASE wanted
      WHEN 'ledger' THEN (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ledger_entries_seq_seq)
      WHEN 'accounts' THEN (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM ledger_accounts_id_seq)
      WHEN 'audit' THEN (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM audit_log_seq_seq)
    END
  FROM (SELECT 1) one LEFT JOIN (SELECT s.number, s.hash FROM stamps s ORDER BY s.number DESC LIMIT 1) newest ON true;
END;

-- Each row is looked up by its key: plans that read a whole table are sometimes thought to be cheaper.
CREATE FUNCTION write_stamp() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET enable_seqscan = off AS
$$
DECLARE
  place record;
  drawn record;
BEGIN
  SELECT * INTO place FROM stamp_place(NEW.book);
  IF NEW.to_seq > place.given THEN
    RAISE EXCEPTION 'no row of % has the number % yet', NEW.book, NEW.to_seq;
  END IF;
  IF NEW.to_seq NOT BETWEEN place.stamped + 1 AND place.stamped + 100000 THEN
    RAISE EXCEPTION 'a stamp of % ends between % and %', NEW.book, place.stamped + 1, place.stamped + 100000;
  END IF;
  SELECT * INTO drawn FROM stamp_rows(NEW.book, place.stamped + 1, NEW.to_seq);
  NEW.number := place.number + 1;
  NEW.version := 1;
  NEW.from_seq := place.stamped + 1;
  NEW.rows := drawn.rows;
  NEW.digest := drawn.digest;
  NEW.marks := drawn.marks;
  NEW.previous := place.hash;
  NEW.hash := sha256(record_send(ROW(NEW.number, NEW.version, NEW.book, NEW.from_seq, NEW.to_seq, NEW.rows, NEW.digest,
    NEW.marks, NEW.made_at, NEW.previous)));
  RETURN NEW;
END $$;

CREATE TRIGGER stamps_written BEFORE INSERT ON stamps FOR EACH ROW EXECUTE FUNCTION write_stamp();
