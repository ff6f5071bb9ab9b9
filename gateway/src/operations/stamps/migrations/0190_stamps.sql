-- The hash chain over the audit log and the ledger. A stamp covers a range of rows of one of them, behind every
-- transaction that could still add a row to the range, and the stamp before it.
CREATE TABLE stamps (
  number bigint PRIMARY KEY,
  -- how rows are written down before they are hashed; a later version does not change what earlier stamps mean
  version smallint NOT NULL,
  book text NOT NULL CHECK (book IN ('ledger', 'accounts', 'audit')),
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  rows integer NOT NULL,
  -- SHA-256 over the SHA-256 of each row, in the order of their numbers
  digest bytea NOT NULL,
  -- the first two bytes of each row's SHA-256, by which a wrong row is found among thousands
  marks bytea NOT NULL,
  made_at timestamptz NOT NULL,
  -- the hash of the stamp before it, and the hash of all columns above and this one
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  CHECK (from_seq > 0 AND to_seq >= from_seq)
);
CREATE INDEX stamps_book ON stamps (book, to_seq DESC);
CREATE TRIGGER stamps_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON stamps
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Ids of the log are made by several processes, so that they do not show what was written last.
ALTER TABLE audit_log ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY;

-- Ranges of numbers are found by these. They take one row for 128 pages, and an INSERT writes nothing into them.
CREATE INDEX audit_log_seq ON audit_log USING brin (seq) WITH (autosummarize = on);
CREATE INDEX ledger_entries_seq ON ledger_entries USING brin (seq) WITH (autosummarize = on);
