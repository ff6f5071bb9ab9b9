/** Answers name whole seconds and take time to come: clocks that differ by less agree. */
const agreeMs = 5_000;
let aheadMs = 0;

/** Notes the time that an answer of the server names, as its header `Date` has it. */
export function noteServerTime(date: string | null): void {
  const ahead = Date.parse(date ?? '') - Date.now();
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) < agreeMs ? 0 : ahead;
}

/** The present time by the server's clock, which all times of its answers are by. */
export function serverNow(): Date {
  return new Date(Date.now() + aheadMs);
}
