-- Who is advancing an integration's test clock: a second one waits. A crash of the database sets every clock free.
CREATE UNLOGGED TABLE test_clock_turns (
  integration_id uuid PRIMARY KEY,
  holder uuid NOT NULL,
  -- put off while its holder works; free to take from then on
  until timestamptz NOT NULL
);
