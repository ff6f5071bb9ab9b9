import { type Answer, exchangeReport } from './answer.ts';
import { type Baseline, baselineOf, checkedSignatures, firstOf } from './baseline.ts';
import { type Case, isSendable } from './case.ts';
import * as cases from './cases.ts';
import { referencePrefix } from './delivery.ts';
import { diagnose } from './diagnosis.ts';
import { judge } from './judge.ts';
import { probesFor } from './probes.ts';
import { emptyFindings, type Findings, type RuleReport } from './report.ts';
import { rules } from './rules.ts';
import { createRun, type Run, type RunDeps } from './run.ts';

export type CheckDeps = Omit<RunDeps, 'onAnswer' | 'budgetMs'> & {
  /** Called after every exchange. */
  onProgress(findings: Findings): void;
};

/** No exchange begins later. With the last one (5 s) and storing the report, a check takes less than a minute. */
const budgetMs = 50_000;
const few = 4;
const many = 8;
/** Deliveries that take longer are sent several at once. */
const slowMs = 1_000;
/** A check sends about this many genuine deliveries, and has this time for them. */
const genuineCount = 40;
const genuineMs = 30_000;

/** How many exchanges a check has when both secrets are known and nothing ends it early. */
export const plannedExchanges = cases.all.length;

/**
 * Tests a receiver with about fifty deliveries of payments that do not exist, in less than a minute, and reports which
 * rules of docs/webhooks.md it keeps. Never rejects; an aborted check ends early.
 */
export async function checkReceiver(deps: CheckDeps): Promise<Findings> {
  const { signing } = deps.receiver;
  const expected = cases.all.filter((one) => isSendable(one, signing)).length;
  const onAnswer = (answers: readonly Answer[]): void =>
    deps.onProgress({
      ...emptyFindings,
      planned: Math.max(expected, answers.length),
      exchanges: answers.map(exchangeReport),
    });
  const run = createRun({ ...deps, budgetMs, onAnswer });
  const baseline = await sendAll(run, probesFor(deps.receiver.otherSecrets));
  const reports = judgeAll(run, baseline);
  const score = { ...emptyFindings.score };
  for (const { verdict } of reports) score[verdict] += 1;
  const exchanges = [...run.answers.values()].map(exchangeReport);
  const diagnosis = diagnose(baseline, run.answers, signing);
  return { planned: exchanges.length, score, diagnosis, rules: reports, exchanges };
}

async function sendAll(run: Run, probes: readonly Case[]): Promise<Baseline> {
  await run.send([cases.valid]);
  if (firstOf(run.answers)?.outcome === 'slow') await run.send([cases.validAgain]);
  const first = firstOf(run.answers);
  if (!first || run.isGone() || first.outcome === 'redirected') return baselineOf(run.answers);
  await run.send([cases.forged, ...cases.halfForged], first.duration_ms > slowMs ? many : 1);
  const baseline = baselineOf(run.answers);
  if (baseline.kind === 'refuses genuine') await run.send(probes, few);
  if (!canBeJudged(baseline)) return baseline;
  const refusalMs = run.answers.get(cases.forged.name)?.duration_ms ?? 0;
  await run.send([...cases.forgeries, ...cases.replays], refusalMs > slowMs ? many : 1);
  await run.send([cases.afterForgeries]);
  const isLastSlow = run.answers.get(cases.afterForgeries.name)?.outcome === 'slow';
  // With a receiver that answers nothing in time the minute would pass without a result.
  if (baseline.kind !== 'too slow' || !isLastSlow) {
    await run.send(cases.genuineLists, parallelFor(first.duration_ms));
    await run.send([cases.crowd]);
  }
  // One after the other, to know which one does harm.
  await run.send([...cases.nonsense, cases.afterNonsense]);
  return baseline;
}

/**
 * How many lists are sent at once: enough to be done in time; otherwise no more than a receiver that handles one delivery
 * after the other can answer within 2.5 s, half of the time that it has.
 */
function parallelFor(durationMs: number): number {
  const demanded = Math.ceil((genuineCount * durationMs) / genuineMs);
  const bearable = Math.min(Math.floor(2_500 / Math.max(durationMs, 1)), few);
  return Math.min(Math.max(demanded, bearable), many);
}

/** Whether the rules can be judged one by one. */
function canBeJudged({ kind }: Baseline): boolean {
  return ['takes genuine', 'refuses unknown payments', 'takes forged', 'too slow'].includes(kind);
}

function judgeAll({ answers, mark }: Run, baseline: Baseline): RuleReport[] {
  const checks = checkedSignatures(answers, baseline);
  const reference = (payment: string): string => `${referencePrefix}${mark}_${payment}`;
  return rules.map((rule, index) => {
    if (canBeJudged(baseline)) return judge(rule, { answers, baseline, checks, reference });
    const isFirst = index === 0;
    return {
      rule: rule.rule,
      title: rule.title,
      verdict: isFirst ? 'broken' : 'unclear',
      evidence: isFirst ? 'A genuine delivery was not answered with 200.' : 'Not tested any further.',
      fix: 'Fix the first problem, and check again.',
      snippet: null,
    };
  });
}
