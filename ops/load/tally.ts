import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

type PhaseCount = { name: string; requests: number; refused: number; times: RecordableHistogram };

/** What clients met, counted for each phase of the story. */
export type Tally = {
  begin(phase: string): void;
  /** Counts one request and how long its answer took; `fault`: why it counts as refused. */
  note(tookMs: number, fault: string | null): void;
  /** Something that was answered and is not so. */
  wrong(what: string): void;
  /** One line for each phase. */
  lines(): string[];
  requests(): number;
  refused: string[];
  wrongs: string[];
};

export function openTally(): Tally {
  const phases: PhaseCount[] = [];
  const refused: string[] = [];
  const wrongs: string[] = [];
  return {
    refused,
    wrongs,
    begin: (name) => void phases.push({ name, requests: 0, refused: 0, times: createHistogram() }),
    note(tookMs, fault) {
      const phase = phases.at(-1);
      if (!phase) throw new Error('No phase has begun');
      phase.requests++;
      phase.times.record(Math.max(1, Math.round(tookMs)));
      if (fault === null) return;
      phase.refused++;
      refused.push(`${phase.name}: ${fault}`);
    },
    wrong: (what) => void wrongs.push(what),
    requests: () => phases.reduce((sum, { requests }) => sum + requests, 0),
    lines: () =>
      phases.map(({ name, requests, refused: failed, times }) => {
        const waits =
          requests === 0 ? '' : `, half within ${times.percentile(50)} ms, all within ${times.max} ms`;
        return `${name}: ${requests} requests, ${failed} refused${waits}`;
      }),
  };
}
