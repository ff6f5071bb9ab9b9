-- What the doctor of this installation found, each time that a gateway looked; the newest is shown.
CREATE TABLE doctor_reports (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  -- who asked: the loop that looks each day, or an operator
  asked_by text NOT NULL CHECK (asked_by IN ('loop', 'operator')),
  took_ms integer NOT NULL,
  -- [{check, finding, level, what, todo, detail}]
  findings jsonb NOT NULL
);
CREATE INDEX doctor_reports_newest ON doctor_reports (at);

-- Questions that are sent to a public address: who answers one reads the same database.
CREATE TABLE doctor_questions (
  id uuid PRIMARY KEY,
  answer uuid NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now()
);
