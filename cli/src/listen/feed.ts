import type { Page, PageFilter, StoredEvent } from '@florin/sdk';
import { earlier } from '../clock.ts';
import { type ListenState, overlapMs } from './state.ts';

/** One page of events, newest first. */
export type ListEvents = (page: PageFilter) => Promise<Page<StoredEvent>>;

export type Feed = {
  /** What has not been shown yet, oldest first. */
  fresh(): Promise<StoredEvent[]>;
  /** Notes that an event was shown. */
  shown(event: StoredEvent): void;
};

export type FeedDeps = {
  list: ListEvents;
  state: ListenState;
  /** Milliseconds of a clock that is never set back. */
  uptimeMs: () => number;
};

const pageSize = 100;
/** Nearly all transactions are shorter; the events of a longer one are found by the next deep read. */
const settledMs = 10_000;
const deepEveryMs = 60_000;

/**
 * Follows the list of events. It is ordered by numbers that are assigned when an event is written, so an event that
 * commits late appears among older ones. Each read therefore goes back to a page on which all has been known for a while,
 * and once a minute a deep read goes back two minutes.
 */
export function createFeed({ list, state, uptimeMs }: FeedDeps): Feed {
  /** When each of the latest events was first read. Ids that were read long enough ago are removed. */
  const firstReadMs = new Map<string, number>();
  let deepAt = Number.NEGATIVE_INFINITY;

  function forgetSettled(): void {
    const until = uptimeMs() - settledMs;
    for (const [id, at] of firstReadMs) {
      if (at > until) return;
      firstReadMs.delete(id);
    }
  }

  const isSettled = (event: StoredEvent) => !firstReadMs.has(event.event_id) && !state.wants(event);
  const isOver = ({ created_at }: StoredEvent) => created_at < state.since()!;

  async function* pagesBackTo(isEnd: (event: StoredEvent) => boolean): AsyncGenerator<StoredEvent[]> {
    let cursor: string | undefined;
    do {
      const page = await list({ limit: pageSize, ...(cursor !== undefined && { cursor }) });
      yield page.items;
      if (page.items.every(isEnd)) return;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** At the first read, events that exist already count as shown. */
  async function begin(): Promise<void> {
    const { items } = await list({ limit: 1 });
    const since = items[0] ? earlier(items[0].created_at, overlapMs) : new Date(0).toISOString();
    const known: StoredEvent[] = [];
    for await (const page of pagesBackTo(({ created_at }) => created_at < since)) known.push(...page);
    state.begin(since, known);
  }

  return {
    async fresh() {
      if (state.since() === null) await begin();
      forgetSettled();
      const isFirst = deepAt === Number.NEGATIVE_INFINITY;
      const isDeep = uptimeMs() - deepAt >= deepEveryMs;
      const found: StoredEvent[] = [];
      for await (const page of pagesBackTo(isDeep ? isOver : isSettled)) {
        found.push(...page.filter((event) => state.wants(event)));
        // An earlier listener may have shown these a moment ago.
        if (isFirst) for (const { event_id } of page) firstReadMs.set(event_id, uptimeMs());
      }
      if (isDeep) deepAt = uptimeMs();
      return found.reverse();
    },
    shown(event) {
      state.add(event);
      firstReadMs.set(event.event_id, uptimeMs());
    },
  };
}
