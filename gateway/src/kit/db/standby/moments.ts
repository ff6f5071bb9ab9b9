/** What the primary answered at one moment. */
type Moment = {
  /** When it was asked, by the clock of this process that is never set back. */
  atMs: number;
  /** Another one for each start of each server. */
  server: string;
  /** How far its log was on the disk. */
  lsn: bigint;
  /** Rows that are written anew every few seconds, each with the transaction that wrote it. */
  marks: readonly string[];
};

/** What a standby has. */
export type Replayed = Pick<Moment, 'lsn' | 'marks'>;

export type Moments = {
  note(moment: Moment): void;
  /** The newest moment of which the standby has all that was committed; null where that is not shown. */
  reachedBy(standby: Replayed): number | null;
};

/**
 * Remembers the moments of the primary, `keptMs` long. A place in the log alone does not show what a standby has: it may
 * follow a server that was the primary before, or have the data of others. So it must also have a mark that was written
 * after the present primary was first asked.
 */
export function createMoments(keptMs: number): Moments {
  let asked: string | undefined;
  let before: ReadonlySet<string> = new Set();
  const proofs = new Map<string, number>();
  let moments: Pick<Moment, 'atMs' | 'lsn'>[] = [];

  return {
    note({ atMs, server, lsn, marks }) {
      if (server !== asked) {
        asked = server;
        before = new Set(marks);
        proofs.clear();
        moments = [];
      }
      for (const mark of marks) if (!before.has(mark)) proofs.set(mark, atMs);
      for (const [mark, lastMs] of proofs) if (lastMs < atMs - keptMs) proofs.delete(mark);
      moments = [...moments.filter((moment) => moment.atMs >= atMs - keptMs), { atMs, lsn }];
    },
    reachedBy({ lsn, marks }) {
      if (!marks.some((mark) => proofs.has(mark))) return null;
      return moments.findLast((moment) => moment.lsn <= lsn)?.atMs ?? null;
    },
  };
}
