-- The session in which an authenticator app is being set up: no other one sees its secret or turns it on.
ALTER TABLE user_factors ADD COLUMN session_id uuid;
