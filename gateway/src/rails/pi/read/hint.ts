import type { Logger } from 'pino';
import type { Horizon } from '../horizon/horizon.ts';

/** A stream of an account's payments. It only tells the reader that there is something to read. */
export type Hint = {
  /** Opens it at a Horizon, after the cursor, unless it is open or was lost just now. */
  listen(horizon: Horizon, cursor: bigint): void;
  /** Whether it can be relied on to report soon. */
  isOpen(): boolean;
  close(): Promise<void>;
};

export type HintDeps = { account: string; wake: () => void; nowMs: () => number; log: Logger };

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Horizon ends a stream after about a minute. */
const steadyMs = 30_000;

export function createHint({ account, wake, nowMs, log }: HintDeps): Hint {
  let stream: { abort: AbortController; done: Promise<void> } | null = null;
  let isOpen = false;
  let losses = 0;
  let notBeforeMs = 0;

  async function follow(horizon: Horizon, cursor: bigint, { signal }: AbortController): Promise<void> {
    const beganMs = nowMs();
    const path = `/accounts/${account}/payments?cursor=${cursor}&limit=200`;
    try {
      await horizon.stream(
        path,
        ({ event }) => {
          if (event === 'open') isOpen = true;
          if (event === 'message') wake();
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) log.debug({ err: error }, 'the stream of the Pi account ended');
    }
    // After a stream that lasted, the next one is opened at once. Some proxies end each stream after its first event.
    losses = nowMs() - beganMs >= steadyMs ? 0 : losses + 1;
    // The reader polls often again from now on.
    if (isOpen && losses <= 1) wake();
    isOpen = false;
    notBeforeMs = nowMs() + Math.min(firstPauseMs * 2 ** losses, longestPauseMs);
    stream = null;
  }

  return {
    listen(horizon, cursor) {
      if (stream || nowMs() < notBeforeMs) return;
      const abort = new AbortController();
      stream = { abort, done: follow(horizon, cursor, abort) };
    },
    isOpen: () => isOpen,
    async close() {
      stream?.abort.abort();
      await stream?.done;
    },
  };
}
