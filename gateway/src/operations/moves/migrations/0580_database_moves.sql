-- Moves of the installation's data from one database to another. At most one row says that this database is not served: it was
-- left, or its copy is not confirmed yet. Earlier moves stay as they came along.
CREATE TABLE database_moves (
  -- the same in both databases
  id uuid PRIMARY KEY,
  moved_at timestamptz NOT NULL,
  -- the address of a server without its password, or the data directory of an embedded one
  origin text NOT NULL,
  target text NOT NULL,
  -- what this database is in the move
  state text NOT NULL CHECK (state IN ('arriving', 'arrived', 'left'))
);
CREATE UNIQUE INDEX database_moves_unserved ON database_moves ((true)) WHERE state <> 'arrived';
