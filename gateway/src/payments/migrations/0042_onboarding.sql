-- What nothing else remembers of a developer's first steps; the other steps are told by the facts themselves.
CREATE TABLE onboarding (
  integration_id uuid NOT NULL REFERENCES integrations,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  key_copied_at timestamptz NOT NULL,
  PRIMARY KEY (integration_id, mode)
);
