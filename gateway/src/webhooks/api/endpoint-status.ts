import type { Reader } from '../../kit/db/db.ts';
import type { Endpoint as EndpointAnswer } from '../answers/console-answers.ts';
import type { Endpoint, EndpointId } from '../endpoints/endpoints.ts';
import { lastFailures } from '../endpoints/last-failure.ts';
import { countUnsent, replaysOf } from '../replay/replay.ts';

/** Why an endpoint fails or is off, and what it missed. */
export type EndpointStatus = Pick<EndpointAnswer, 'missed_events' | 'last_failure' | 'replay'>;

const maxMissed = 10_000;

/** The status of each endpoint. */
export async function statusesOf(
  reader: Reader,
  endpoints: readonly Endpoint[],
): Promise<Map<EndpointId, EndpointStatus>> {
  const ids = endpoints.map(({ id }) => id);
  const missed = await countUnsent(reader, ids, 'held', { most: maxMissed });
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
