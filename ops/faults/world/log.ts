/** What happened, by party: parties note what they do and are told, breaks what they do. A failure prints the last lines. */
export type Log = {
  note(party: string, what: string): void;
  /** The last lines of each party, with the seconds since the last `clear`. */
  last(lines: number): string[];
  /** Forgets all, for the next seed. */
  clear(): void;
};

/** More of one party would hardly be read. */
const kept = 2_000;

export function openLog(): Log {
  const parties = new Map<string, string[]>();
  let begunMs = performance.now();
  return {
    note(party, what) {
      const lines = parties.get(party) ?? [];
      parties.set(party, lines);
      lines.push(`${((performance.now() - begunMs) / 1000).toFixed(3)} ${what}`);
      if (lines.length > kept) lines.shift();
    },
    last: (lines) =>
      [...parties]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .flatMap(([party, all]) => [`${party}:`, ...all.slice(-lines).map((line) => `  ${line}`)]),
    clear() {
      parties.clear();
      begunMs = performance.now();
    },
  };
}
