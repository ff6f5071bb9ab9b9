-- A text sealed under the master key of this installation: a gateway that cannot open it has the wrong key.
CREATE TABLE master_key_check (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  sealed bytea NOT NULL
);
