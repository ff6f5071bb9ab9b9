import type { Reader } from '../../kit/db/db.ts';
import type { Endpoint, EndpointId } from '../endpoints/endpoints.ts';
import { lastFailures } from '../endpoints/last-failure.ts';
import type { EventType } from '../events/event-types.ts';
import { countUnsent, type Replay, replaysOf } from '../replay/replay.ts';

/** Why an endpoint fails or is off, and what it missed; times are ISO. */
export type EndpointLife = {
  /** Events that it missed and was not sent since; counted up to 10,000. */
  missed_events: number;
  /** What failed last, while nothing but failures came since; `response` is the answer's beginning. */
  last_failure: {
    at: string;
    status_code: number | null;
    error: string;
    response: string | null;
    event_type: EventType;
    payment_reference: string;
  } | null;
  /** The last replay, under way or done; null: there was none. */
  replay: Replay | null;
};

export const maxMissed = 10_000;

/** The same for each endpoint. */
export async function lifeOf(
  reader: Reader,
  endpoints: readonly Endpoint[],
): Promise<Map<EndpointId, EndpointLife>> {
  const ids = endpoints.map(({ id }) => id);
  const missed = await countUnsent(reader, ids, 'held', maxMissed);
  const failing = endpoints.filter((each) => each.failingSince !== null || each.status === 'disabled');
  const failures = await lastFailures(
    reader,
    failing.map(({ id }) => id),
  );
  const replays = await replaysOf(reader, ids);
  return new Map(
    ids.map((id) => {
      const failure = failures.get(id);
      return [
        id,
        {
          missed_events: missed.get(id) ?? 0,
          last_failure: failure ? { ...failure, at: failure.at.toISOString() } : null,
          replay: replays.get(id) ?? null,
        },
      ];
    }),
  );
}
