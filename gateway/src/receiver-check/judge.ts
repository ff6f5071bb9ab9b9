import type { Case } from './case.ts';
import type { RuleReport, Snippet, Verdict } from './report.ts';
import { isAlsoRight, type Result, toldOf } from './result.ts';
import { isBelieved, isUnanswered, type Results, type Standing } from './standing.ts';

/** All that a rule is judged by. */
export type Seen = {
  results: Results;
  standing: Standing;
  checks: { plain: boolean; standard: boolean };
  /** How a payment of this check is named in the shop. */
  reference(payment: string): string;
};

export type Judged = Pick<RuleReport, 'verdict' | 'evidence' | 'fix'> & { snippet?: Snippet };

export type Rule = { rule: string; title: string; judge: (seen: Seen) => Judged };

export function resultsOf({ results }: Seen, cases: readonly Case[]): Result[] {
  return cases.flatMap(({ name }) => results.get(name) ?? []);
}

/** What was sent and what came back; of many the first two. */
export function evidenceOf(results: readonly Result[]): string {
  const told = results.slice(0, 2).map((result) => `${result.case.title}: it ${toldOf(result)}.`);
  const more = results.length - told.length;
  return [...told, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

export function judged(verdict: Verdict, evidence: string, fix = '', snippet?: Snippet): Judged {
  return { verdict, evidence, fix, ...(snippet ? { snippet } : {}) };
}

/** For deliveries that must be taken; `kept` says that they were. */
export function judgeTaken(
  seen: Seen,
  cases: readonly Case[],
  { kept, fix, snippet }: { kept: string; fix: string; snippet?: Snippet },
): Judged {
  const results = resultsOf(seen, cases);
  const believed = results.filter((result) => isBelieved(result, seen.standing));
  const without = unansweredOf(results);
  const wrong = results.filter((result) => !believed.includes(result) && !without.includes(result));
  if (wrong.length > 0) return judged('broken', evidenceOf(wrong), fix, snippet);
  if (without.length > 0 || results.length === 0) return unseen(without);
  if (believed.some(({ outcome }) => outcome !== 'taken')) {
    return judged('unclear', 'It answered as it does to every payment that it does not know.', mendFirst);
  }
  return judged('kept', kept);
}

const mendFirst = 'Mend that first, and check again.';

/** For what was not answered in time, or not sent. */
export function unseen(results: readonly Result[]): Judged {
  const evidence = results.length === 0 ? 'Nothing was sent for it.' : evidenceOf(results);
  return judged('unclear', evidence, 'Mend the other rules first, and check again.');
}

/** Those at which the receiver failed, and not because it fails at every genuine one. */
export function crashesOf(results: readonly Result[], { standing }: Seen): Result[] {
  return results.filter(
    (result) =>
      (result.outcome === 'dropped' || (result.outcome === 'failed' && !isAlsoRight(result))) &&
      !isBelieved(result, standing),
  );
}

export function unansweredOf(results: readonly Result[]): Result[] {
  return results.filter(isUnanswered);
}
