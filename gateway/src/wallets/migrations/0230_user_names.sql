-- User names are compared without case. Of names that exist and differ in case only, each matches exactly only.
ALTER TABLE users
  -- the name in lower case (A to Z only); null where another user's name differs in case only
  ADD COLUMN folded text,
  -- what names that look alike have in common; of those that exist and look alike, the first has it
  ADD COLUMN look text;

UPDATE users SET folded = lower(username COLLATE "C")
WHERE lower(username COLLATE "C") NOT IN (
  SELECT lower(username COLLATE "C") FROM users GROUP BY 1 HAVING count(*) > 1);

UPDATE users SET look = first.look
FROM (
  SELECT DISTINCT ON (look) id, look
  FROM (
    SELECT id, translate(replace(translate(lower(username COLLATE "C"), '01l', 'oii'), 'rn', 'm'), '_.-', '') AS look
    FROM users
  ) looks ORDER BY look, id
) first
WHERE users.id = first.id;

-- Null: the user signs in without one.
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;

CREATE UNIQUE INDEX users_folded_key ON users (folded);
CREATE UNIQUE INDEX users_look_key ON users (look);
