/** The current time by the clock of this machine. */
export function now(): Date {
  return new Date();
}

/**
 * A time that lies this long before another, in the gateway's format: ISO 8601 in UTC with milliseconds, which sorts as
 * text.
 */
export function earlier(iso: string, milliseconds: number): string {
  return new Date(new Date(iso).getTime() - milliseconds).toISOString();
}
