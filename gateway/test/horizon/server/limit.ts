export type Spent = { isOver: boolean; headers: Record<string, string> };

/** Counts what an address asks for. */
export type Limiter = { spend(address: string): Spent };

const hourMs = 3_600_000;
const maxBurst = 100;

/**
 * Horizon's limit: so many requests an hour, evenly, of which about a hundred may come at once (GCRA). Null: without a
 * limit, and without its headers.
 */
export function createLimiter(perHour: number | null, now: () => Date): Limiter {
  if (perHour === null) return { spend: () => ({ isOver: false, headers: {} }) };
  const limit = Math.min(perHour, maxBurst + 1);
  const intervalMs = hourMs / perHour;
  // When an address will have nothing spent any more.
  const clearAt = new Map<string, number>();
  return {
    spend(address) {
      const at = now().getTime();
      const before = Math.max(clearAt.get(address) ?? at, at);
      const isOver = before + intervalMs > at + limit * intervalMs;
      const after = isOver ? before : before + intervalMs;
      clearAt.set(address, after);
      const retrySeconds = Math.ceil((before + intervalMs - limit * intervalMs - at) / 1000);
      return {
        isOver,
        headers: {
          'x-ratelimit-limit': `${limit}`,
          'x-ratelimit-remaining': `${Math.floor((at + limit * intervalMs - after) / intervalMs)}`,
          'x-ratelimit-reset': `${Math.ceil((after - at) / 1000)}`,
          ...(isOver && { 'retry-after': `${retrySeconds}` }),
        },
      };
    },
  };
}
