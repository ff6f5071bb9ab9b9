/** Returns the current time. Services take it as an argument, so that tests can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** The moment `seconds` after `from`. */
export function after(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}

/** The earlier one of two moments. */
export const earlierOf = (one: Date, other: Date): Date => (one < other ? one : other);

/** The day of a moment in UTC: `2026-03-01`. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
