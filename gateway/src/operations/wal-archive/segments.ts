/** The bytes of a segment of WAL, which PostgreSQL makes by default. */
export const segmentBytes = 16 * 1024 * 1024;

const segmentPattern = /^[0-9A-F]{24}$/;
const historyPattern = /^[0-9A-F]{8}\.history$/;
const packedPattern = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)\.zst(?:\.age)?$/;

/** A segment, whose name has eight digits each for its timeline, the upper half of its position, and its number there. */
export function isSegment(name: string): boolean {
  return segmentPattern.test(name);
}

/** Where a timeline began. It is kept with the segments. */
export function isHistory(name: string): boolean {
  return historyPattern.test(name);
}

/** The name of what is in a packed file; null: it is none. */
export function nameOfPacked(file: string): string | null {
  return packedPattern.exec(file)?.[1] ?? null;
}

/** The segment that comes after another one on its timeline. */
export function segmentAfter(name: string): string {
  const [timeline, upper, number] = [name.slice(0, 8), digits(name.slice(8, 16)), digits(name.slice(16))];
  const perUpper = 2 ** 32 / segmentBytes;
  const next = number + 1 < perUpper ? [upper, number + 1] : [upper + 1, 0];
  return timeline + next.map((each) => each.toString(16).toUpperCase().padStart(8, '0')).join('');
}

const digits = (hex: string): number => Number.parseInt(hex, 16);

/** The names from `first` on without a gap, of names of segments in any order; empty where `first` is missing. */
export function withoutGap(names: Iterable<string>, first: string): string[] {
  const there = new Set(names);
  const found: string[] = [];
  for (let name = first; there.has(name); name = segmentAfter(name)) found.push(name);
  return found;
}
