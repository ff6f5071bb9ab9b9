/** How many requests a process takes at once. */
export type Admission = {
  /** How many were refused so far. */
  refused(): number;
  /** Takes a request in, and returns what is called when it was answered; null where there are too many. */
  enter(): (() => void) | null;
};

/** What comes at once is taken in full, as many as share one commit: it is soon done. */
const burst = 512;
/**
 * Once that is not enough, so many until a second has passed in which all were taken. More would only wait, and each of
 * them longer; to refuse one costs little.
 */
const steady = 128;
/** What has taken as long as this waits for something else, such as a stream for news, and counts no longer. */
const countedMs = 1_000;

/** Counts the requests that came within the last one to two seconds and have no answer yet. */
export function createAdmission(nowMs: () => number): Admission {
  let before = { open: 0 };
  let current = { open: 0 };
  let sinceMs = nowMs();
  let refusedMs: number | null = null;
  let refused = 0;

  function turn(atMs: number): void {
    const elapsedMs = atMs - sinceMs;
    // A clock that was set back starts a new second.
    if (elapsedMs >= 0 && elapsedMs < countedMs) return;
    before = elapsedMs >= 2 * countedMs ? { open: 0 } : current;
    current = { open: 0 };
    sinceMs = atMs;
  }

  function mostAt(atMs: number): number {
    return refusedMs !== null && Math.abs(atMs - refusedMs) < countedMs ? steady : burst;
  }

  return {
    refused: () => refused,
    enter() {
      const atMs = nowMs();
      turn(atMs);
      if (before.open + current.open >= mostAt(atMs)) {
        refusedMs = atMs;
        refused++;
        return null;
      }
      const second = current;
      second.open++;
      return () => {
        second.open--;
      };
    },
  };
}
