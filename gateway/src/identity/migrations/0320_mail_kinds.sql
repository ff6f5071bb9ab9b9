-- What a mail is about: whether its text gives access is decided by that. Null: it was written before there were kinds.
ALTER TABLE emails ADD COLUMN kind text;
