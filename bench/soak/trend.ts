export type Point = { x: number; y: number };

/** The value that this part of them, between 0 and 1, does not exceed; NaN of none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5);

const mostPoints = 300;

/** The median of the slopes between all pairs of points (Theil and Sen): outliers do not move it. */
export function slopeOf(points: readonly Point[]): number {
  const few = thinned(points, mostPoints);
  const slopes = few.flatMap((a, at) =>
    few.slice(at + 1).flatMap((b) => (b.x === a.x ? [] : [(b.y - a.y) / (b.x - a.x)])),
  );
  return medianOf(slopes);
}

/** About so many of them, evenly spread. */
export function thinned<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, at) => at % step === 0);
}

/** How much it grew from the first point to the last by its slope, and as a part of its median. */
export function growthOf(points: readonly Point[]): { by: number; part: number } {
  const by = slopeOf(points) * ((points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0));
  return { by, part: by / medianOf(points.map(({ y }) => y)) };
}
