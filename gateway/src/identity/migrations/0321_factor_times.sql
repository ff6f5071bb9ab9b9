-- When the person last showed a second factor in this session. Null: never, or before this was noted.
ALTER TABLE sessions ADD COLUMN factor_at timestamptz;
