/** The minutes of the times that are added up: days, hours and quarters of an hour, in UTC. */
export const grains = [1440, 60, 15] as const;
export type Grain = (typeof grains)[number];

/** A span of time, with the number by which its caller knows it. */
export type Span = { n: number; from: Date; to: Date };
/** A time that is added up as a whole. */
export type Piece = { n: number; since: Date; minutes: Grain };

const minuteMs = 60_000;

/** The last beginning of such a time that is not after a moment. */
export const floorTo = (moment: Date, minutes: Grain): Date =>
  new Date(Math.floor(moment.getTime() / (minutes * minuteMs)) * minutes * minuteMs);

/** Whether the time of these minutes that begins at `at` (ms) holds one of some quarters of an hour. */
type Holds = (at: number, minutes: Grain) => boolean;

export function holdsAny(quarters: readonly Date[]): Holds {
  const begins = new Map(
    grains.map((minutes) => [minutes, new Set(quarters.map((since) => floorTo(since, minutes).getTime()))]),
  );
  return (at, minutes) => begins.get(minutes)?.has(at) ?? false;
}

/**
 * Cuts a span into the largest times that are added up as a whole, which end by `until` and have not changed since, and what
 * is beside them.
 */
export function piecesOf(span: Span, until: Date, isChanged: Holds): { pieces: Piece[]; rest: Span[] } {
  const pieces: Piece[] = [];
  const rest: Span[] = [];
  const { n } = span;
  const keepRest = (from: number, to: number): void => {
    if (from < to) rest.push({ n, from: new Date(from), to: new Date(to) });
  };
  const cut = (from: number, to: number, [minutes, ...finer]: readonly Grain[]): void => {
    if (minutes === undefined || from >= to) {
      keepRest(from, to);
      return;
    }
    const ms = minutes * minuteMs;
    const begin = Math.min(Math.ceil(from / ms) * ms, to);
    const end = Math.max(begin, Math.floor(to / ms) * ms);
    cut(from, begin, finer);
    for (let at = begin; at < end; at += ms) {
      if (isChanged(at, minutes)) cut(at, at + ms, finer);
      else pieces.push({ n, since: new Date(at), minutes });
    }
    cut(end, to, finer);
  };
  const [from, to] = [span.from.getTime(), span.to.getTime()];
  const last = Math.min(Math.max(until.getTime(), from), to);
  cut(from, last, grains);
  keepRest(last, to);
  return { pieces, rest };
}
