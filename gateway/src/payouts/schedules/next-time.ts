export const frequencies = ['day', 'week', 'month'] as const;
/** Each day, each Monday, or the first of each month, at 00:00 UTC. */
export type Every = (typeof frequencies)[number];

/** The first such time after `now`. */
export function nextTime(every: Every, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (every === 'month') return new Date(Date.UTC(year, month + 1, 1));
  // Sunday is 0: Monday comes in one day, for Monday itself in seven.
  const days = every === 'day' ? 1 : (8 - now.getUTCDay()) % 7 || 7;
  return new Date(Date.UTC(year, month, day + days));
}

/** The next such time of an owner. Their time is ahead of the real one where a test clock was moved forward. */
export function nextAt(every: Every, now: Date, ownTime: Date): Date {
  return new Date(now.getTime() + nextTime(every, ownTime).getTime() - ownTime.getTime());
}
