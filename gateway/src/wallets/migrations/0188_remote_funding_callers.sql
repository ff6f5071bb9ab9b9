-- The same for what another system was asked to book.
ALTER TABLE remote_fundings ADD COLUMN key_id uuid, ADD COLUMN address text;
