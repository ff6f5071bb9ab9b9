-- Where an account or a user signed in before. Failures of strangers elsewhere do not limit sign-ins from there.
CREATE TABLE known_places (
  owner uuid NOT NULL,
  -- "device" and the SHA-256 of what its cookie holds, or "address" and the client's address, of IPv6 the /64 network
  place text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (owner, place)
);
CREATE INDEX known_places_seen ON known_places (seen_at);

-- When the owner was last told that too many tries to sign in had failed.
ALTER TABLE accounts ADD COLUMN guesses_mailed_at timestamptz;
