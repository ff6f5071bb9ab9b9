// Arrays as parameters of frequent statements. pg writes an array as text and quotes each element, which for ten
// columns of some hundred rows takes longer than the statement itself.

const textOid = 25;
const headerBytes = 20;

/** The text of an array of numbers, UUIDs, booleans or plain words, none of which needs quotes. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/**
 * SQL for an array parameter that hides its length from the planner. A named statement with `= ANY ($1)` is planned
 * again at each execution, because a plan for one element looks cheaper than the kept plan.
 */
export function anyLength(parameter: string, type: string): string {
  return `((SELECT ${parameter}::${type}[])::${type}[])`;
}

/** A `text[]` in PostgreSQL's binary format, where nothing is quoted. */
export function textArray(values: readonly (string | null)[]): Buffer {
  // UTF-8 takes at most three bytes for a UTF-16 unit.
  let size = headerBytes;
  for (const value of values) size += 4 + (value?.length ?? 0) * 3;
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(1, 0); // dimensions
  array.writeInt32BE(1, 4); // there may be NULLs
  array.writeInt32BE(textOid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16); // the first index
  let end = headerBytes;
  for (const value of values) {
    const length = value === null ? -1 : array.write(value, end + 4);
    array.writeInt32BE(length, end);
    end += 4 + Math.max(length, 0);
  }
  return array.subarray(0, end);
}
