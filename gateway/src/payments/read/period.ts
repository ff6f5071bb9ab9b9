/** A day of a zone: its date, and the moments at which it begins and the next one does. */
export type Day = { day: string; from: Date; to: Date };

// The names of the database of zones, and not the offsets and whole times that Temporal takes as well.
const zonePattern = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** True for the name of a time zone: `UTC`, `Europe/Berlin`. */
export function isZone(name: string): boolean {
  if (!zonePattern.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/** The last `count` days of the zone, the oldest first and today, which is not over, the last. */
export function lastDays(count: number, zone: string, now: Date): Day[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const begin = (date: Temporal.PlainDate): Date => new Date(date.toZonedDateTime(zone).epochMilliseconds);
  return Array.from({ length: count }, (_, index) => {
    const date = today.subtract({ days: count - 1 - index });
    return { day: date.toString(), from: begin(date), to: begin(date.add({ days: 1 })) };
  });
}
