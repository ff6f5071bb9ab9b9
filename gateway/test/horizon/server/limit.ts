export type Spent = { isOver: boolean; headers: Record<string, string> };

/** Counts what an address asks for; `spend` takes one from its hour. */
export type Limiter = { spend(address: string): Spent };

const hourMs = 3_600_000;

/** `perHour` null: without a limit, and without its headers. */
export function createLimiter(perHour: number | null, now: () => Date): Limiter {
  const hours = new Map<string, { since: number; count: number }>();
  return {
    spend(address) {
      if (perHour === null) return { isOver: false, headers: {} };
      const at = now().getTime();
      const known = hours.get(address);
      const hour = known && at < known.since + hourMs ? known : { since: at, count: 0 };
      hours.set(address, hour);
      const isOver = hour.count >= perHour;
      if (!isOver) hour.count += 1;
      const resetSeconds = `${Math.ceil((hour.since + hourMs - at) / 1000)}`;
      return {
        isOver,
        headers: {
          'x-ratelimit-limit': `${perHour}`,
          'x-ratelimit-remaining': `${perHour - hour.count}`,
          'x-ratelimit-reset': resetSeconds,
          ...(isOver && { 'retry-after': resetSeconds }),
        },
      };
    },
  };
}
