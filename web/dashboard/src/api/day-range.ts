/** From the beginning of one day to the end of another (UTC), as the API takes times. */
export function dayRange(
  from: string | undefined,
  to: string | undefined,
): { from: string | undefined; to: string | undefined } {
  return { from: from && `${from}T00:00:00.000Z`, to: to && dayAfter(to) };
}

function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString();
}
