-- The person who made a key, or rolled it: never one of those who approve what it asked for. NULL: made by command line.
ALTER TABLE api_keys ADD COLUMN made_by uuid;
