import { useSyncExternalStore } from 'react';
import { serverNow } from './server-clock.ts';

const everyMs = 10_000;
/** What is shown for the first time must not seem to be still to come: the time that it is compared with is no older. */
const freshMs = 2_000;
const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;

/** The present time by the server's clock, updated every ten seconds by one timer for the whole page. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, current);
}

function current(): Date {
  const time = serverNow();
  if (Math.abs(time.getTime() - now.getTime()) > freshMs) now = time;
  return now;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}
