import { type Answer, answerText } from './answer.ts';
import { type Answers, type Baseline, isBelieved, isUnanswered } from './baseline.ts';
import type { Case } from './case.ts';
import type { RuleReport } from './report.ts';

/** Everything that a rule is judged by. */
export type Seen = {
  answers: Answers;
  baseline: Baseline;
  /** Which signatures the receiver depends on. */
  checks: { plain: boolean; standard: boolean };
  /** The reference of a payment of this check. */
  reference(payment: string): string;
};

export type Judgement = Omit<RuleReport, 'rule' | 'title'>;

const faults = ['believed', 'crashed', 'not taken'] as const;
type Fault = (typeof faults)[number];

export type Rule = Pick<RuleReport, 'rule' | 'title'> & {
  /** The rule is broken when one of these is answered otherwise than the case expects. */
  cases: readonly Case[];
  /** What to change: the same for every fault, or for each its own. */
  fix: string | Partial<Record<Fault, string>>;
  snippet?: RuleReport['snippet'];
  /** A receiver that takes forged deliveries cannot be judged by it. */
  needsVerification?: boolean;
  /** Judges before the answers to the cases are read; null: they decide. */
  before?: (seen: Seen) => Judgement | null;
  /** The judgement when every case was answered as expected; a text is the evidence of a rule that is kept. */
  otherwise: string | ((seen: Seen, answers: readonly Answer[]) => string | Judgement);
};

const fixThatFirst = 'Fix that first, and check again.';

export function judge(rule: Rule, seen: Seen): RuleReport {
  const { rule: name, title } = rule;
  return { rule: name, title, ...judgementOf(rule, seen) };
}

function judgementOf(rule: Rule, seen: Seen): Judgement {
  if (rule.needsVerification && seen.baseline.kind === 'takes forged') {
    const evidence = 'It takes forged deliveries, so its answers do not show this.';
    return judged('unclear', evidence, 'Verify signatures first, and check again.', 'verify');
  }
  const early = rule.before?.(seen);
  if (early) return early;
  const answers = answersTo(seen, rule.cases);
  const wrong = answers.filter((answer) => faultOf(answer, seen) !== null);
  if (wrong.length > 0) return broken(rule, wrong, seen);
  const open = answers.filter(isUnanswered);
  if (open.length > 0 || answers.length === 0) return unseen(open);
  const isAboutForgery = rule.cases.some(({ expect }) => expect === 'refused');
  if (!isAboutForgery && answers.some(isUnknownPayment)) {
    return judged(
      'unclear',
      'It gave the same answer as for every payment that it does not know.',
      fixThatFirst,
    );
  }
  const result = typeof rule.otherwise === 'string' ? rule.otherwise : rule.otherwise(seen, answers);
  return typeof result === 'string' ? judged('kept', result) : result;
}

function broken({ fix, snippet }: Rule, wrong: readonly Answer[], seen: Seen): Judgement {
  if (typeof fix === 'string') return judged('broken', evidenceOf(wrong), fix, snippet);
  const groups = Map.groupBy(wrong, (answer) => faultOf(answer, seen));
  const worst = faults.find((fault) => groups.has(fault)) ?? 'not taken';
  return judged('broken', evidenceOf(groups.get(worst) ?? wrong), fix[worst], snippet);
}

/** What is wrong with an answer; null: nothing, or there was none. */
function faultOf(answer: Answer, { baseline }: Seen): Fault | null {
  const { case: one, outcome } = answer;
  const isTaken = isBelieved(answer, baseline);
  if (isAlsoRight(answer) || isUnanswered(answer)) return null;
  if (one.expect === 'taken') return isTaken ? null : 'not taken';
  if (one.expect === 'refused' && isTaken) return 'believed';
  return !isTaken && (outcome === 'dropped' || outcome === 'failed') ? 'crashed' : null;
}

/** Whether a genuine delivery got the answer that unknown payments get. */
function isUnknownPayment(answer: Answer): boolean {
  return answer.case.expect === 'taken' && answer.outcome !== 'taken' && !isAlsoRight(answer);
}

function isAlsoRight({ case: { alsoRight }, status_code }: Answer): boolean {
  return status_code !== null && status_code === alsoRight;
}

export function answersTo({ answers }: Seen, cases: readonly Case[]): Answer[] {
  return cases.flatMap(({ name }) => answers.get(name) ?? []);
}

/** What was sent and what came back, for the first two of several answers. */
export function evidenceOf(answers: readonly Answer[]): string {
  const shown = answers.slice(0, 2).map((answer) => `${answer.title}: it ${answerText(answer)}.`);
  const more = answers.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

export function judged(
  verdict: Judgement['verdict'],
  evidence: string,
  fix = '',
  snippet: Judgement['snippet'] = null,
): Judgement {
  return { verdict, evidence, fix, snippet };
}

/** For cases that were not sent, or not answered in time. */
function unseen(answers: readonly Answer[]): Judgement {
  const evidence = answers.length === 0 ? 'Nothing was sent for it.' : evidenceOf(answers);
  return judged('unclear', evidence, 'Fix the other rules first, and check again.');
}
