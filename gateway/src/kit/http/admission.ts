/** Limits how many requests a process handles at once. */
export type Admission = {
  /** How many were refused so far. */
  refused(): number;
  /** Admits a request, and returns a function to call when it was answered; null where there are too many. */
  enter(): (() => void) | null;
};

/** This many are admitted at once, as many as share one commit: they are answered soon. */
const burst = 512;
/**
 * Once that limit was reached, this many are admitted until a while has passed without a refusal. More would only make
 * each of them wait longer; a refusal costs little.
 */
const steady = 128;
/** A usual load comes in bursts of more than that: a longer while would refuse some of it for seconds after an overload. */
const calmMs = 250;
/** A request that takes longer than this waits for something else, such as a stream for news, and is not counted. */
const countedMs = 1_000;

/** Admits no request: for a gateway that is tried and must not serve. */
export const noAdmission: Admission = { refused: () => 0, enter: () => null };

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
    return refusedMs !== null && Math.abs(atMs - refusedMs) < calmMs ? steady : burst;
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
