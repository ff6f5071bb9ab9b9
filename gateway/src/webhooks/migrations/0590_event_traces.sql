-- Where traces are on: the span in which an event was written, below which attempts to deliver it are traced, in whichever
-- process. A crash of the database empties the table; then these attempts are not traced.
CREATE UNLOGGED TABLE event_traces (
  event_id uuid PRIMARY KEY,
  -- as the header traceparent of W3C says it
  parent text NOT NULL
);
