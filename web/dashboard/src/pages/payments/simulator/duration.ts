/** Seconds as a short text: `45 s`, `2 min`, `3 h`; exact where it is no whole number of the larger unit. */
export function shortDuration(seconds: number): string {
  if (seconds >= 3_600 && seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}
