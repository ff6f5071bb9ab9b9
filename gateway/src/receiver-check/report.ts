/** kept and broken were seen from outside; unclear says what to look at. */
export type Verdict = 'kept' | 'broken' | 'unclear';

/** Which example of docs/webhooks.md shows the fix. */
export type Snippet = 'verify' | 'raw-body' | 'store-once' | 'answer-first' | 'ignore-unknown';

export type Advice = {
  title: string;
  /** What was sent and what came back, in a sentence or two. */
  evidence: string;
  /** What to change, or where to look; empty when there is nothing to do. */
  fix: string;
  snippet: Snippet | null;
};

export type RuleReport = Advice & { rule: string; verdict: Verdict };

export type ExchangeReport = {
  name: string;
  title: string;
  /** What a right receiver answers to it, and why. */
  expects: string;
  /** Whether it did; null: either answer may be right, or there was none in time. */
  as_expected: boolean | null;
  /** How many were sent at the same moment; what follows tells of the worst of them. */
  times: number;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  /** The beginning of the answer. */
  response: string | null;
};

export type Score = Record<Verdict, number>;

/** What a check found. While it is under way there are exchanges alone. */
export type Findings = {
  /** How many exchanges there will be, as far as is known yet. */
  planned: number;
  score: Score;
  /** What is wrong with everything, to be mended first; null when there is no such thing. */
  diagnosis: Advice | null;
  rules: RuleReport[];
  exchanges: ExchangeReport[];
};

export const nothingFound: Findings = {
  planned: 0,
  score: { kept: 0, broken: 0, unclear: 0 },
  diagnosis: null,
  rules: [],
  exchanges: [],
};

export function scoreOf(rules: readonly RuleReport[]): Score {
  const score: Score = { kept: 0, broken: 0, unclear: 0 };
  for (const { verdict } of rules) score[verdict] += 1;
  return score;
}
