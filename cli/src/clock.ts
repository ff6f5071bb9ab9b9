/** The time by this machine's clock. */
export function now(): Date {
  return new Date();
}
