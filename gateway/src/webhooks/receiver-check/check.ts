import {
  afterForgeries,
  afterNonsense,
  beliefCases,
  forgeryCases,
  nonsenseCases,
  replayCases,
  valid,
  validAgain,
} from './belief-cases.ts';
import { type Case, isSendable } from './case.ts';
import { diagnose } from './diagnosis.ts';
import { furtherRules } from './further-rules.ts';
import {
  crowdCase,
  failedCase,
  orderCases,
  rawCases,
  repeatCases,
  rotationCases,
  slowCase,
  unknownEvent,
  valueCases,
} from './genuine-cases.ts';
import type { Seen } from './judge.ts';
import { referencePrefix } from './message.ts';
import { probes } from './probes.ts';
import { type Findings, nothingFound, type RuleReport, scoreOf } from './report.ts';
import { exchangeReport, type Result } from './result.ts';
import { createRun, type Run, type RunDeps } from './run.ts';
import { specRules } from './spec-rules.ts';
import { checksOf, firstOf, type Standing, standingOf } from './standing.ts';

export type CheckDeps = Omit<RunDeps, 'onResult' | 'budgetMs'> & {
  /** Told after every exchange. */
  onProgress(findings: Findings): void;
};

/** With the last exchange's five seconds and what it takes to store it all, less than a minute. */
const budgetMs = 50_000;
/** Above it, one after the other would take too long. */
const slowFirstMs = 700;
const fewLanes = 4;
const manyLanes = 8;

const alone = (cases: readonly Case[]): Case[][] => cases.map((one) => [one]);

const genuineLists: readonly (readonly Case[])[] = [
  repeatCases,
  ...orderCases,
  ...alone([slowCase, failedCase, unknownEvent, ...rawCases, ...valueCases, ...rotationCases]),
];

const everyCase: readonly Case[] = [
  valid,
  ...beliefCases,
  ...forgeryCases,
  ...replayCases,
  afterForgeries,
  ...genuineLists.flat(),
  crowdCase,
  ...nonsenseCases,
  afterNonsense,
];

/**
 * Tries a receiver with about sixty deliveries of payments that do not exist, in less than a minute, and says
 * which rules of service-spec 6.3 and docs/webhooks.md it keeps. Never rejects; an aborted check ends early.
 */
export async function checkReceiver(deps: CheckDeps): Promise<Findings> {
  const { signing } = deps.receiver;
  const expected = everyCase.filter((one) => isSendable(one, signing)).length;
  const progress = (results: readonly Result[]): Findings => ({
    ...nothingFound,
    planned: Math.max(expected, results.length),
    exchanges: results.map(exchangeReport),
  });
  const run = createRun({ ...deps, budgetMs, onResult: (results) => deps.onProgress(progress(results)) });
  const standing = await sendAll(run);
  const rules = judgeAll(run, standing);
  const diagnosis = diagnose(standing, run.results, signing);
  const exchanges = [...run.results.values()].map(exchangeReport);
  return { planned: exchanges.length, score: scoreOf(rules), diagnosis, rules, exchanges };
}

async function sendAll(run: Run): Promise<Standing> {
  await run.send([[valid]], 1);
  if (firstOf(run.results)?.outcome === 'slow') await run.send([[validAgain]], 1);
  const first = firstOf(run.results);
  if (!first || run.isGone() || first.outcome === 'redirected') return standingOf(run.results);
  const isSlow = first.durationMs > slowFirstMs;
  await run.send(alone(beliefCases), isSlow ? manyLanes : 1);
  const standing = standingOf(run.results);
  if (standing.kind === 'refuses all') await run.send(alone(probes), fewLanes);
  if (!goesOn(standing)) return standing;
  await run.send(alone([...forgeryCases, ...replayCases]), isSlow ? manyLanes : 1);
  await run.send([[afterForgeries]], 1);
  const isStuck = standing.kind === 'too slow' && run.results.get(afterForgeries.name)?.outcome === 'slow';
  // A receiver that takes nothing in time would use up the minute, and no rule could be told by it.
  if (!isStuck) {
    await run.send(genuineLists, isSlow ? manyLanes : fewLanes);
    await run.send([[crowdCase]], 1);
  }
  // One after the other, so that it is known which of them did harm.
  await run.send([nonsenseCases], 1);
  await run.send([[afterNonsense]], 1);
  return standing;
}

function goesOn({ kind }: Standing): boolean {
  return kind === 'takes' || kind === 'knows' || kind === 'believes all' || kind === 'too slow';
}

function judgeAll(run: Run, standing: Standing): RuleReport[] {
  const checks = checksOf(run.results, standing);
  const reference = (payment: string): string => `${referencePrefix}${run.mark}_${payment}`;
  const seen: Seen = { results: run.results, standing, checks, reference };
  return [...specRules, ...furtherRules].map(({ rule, title, judge }, index) => {
    if (goesOn(standing)) return { rule, title, snippet: null, ...judge(seen) };
    const stopped = { rule, title, snippet: null, fix: 'Mend what stands first, and check again.' };
    return index === 0
      ? { ...stopped, verdict: 'broken', evidence: 'A genuine delivery was not answered with 200.' }
      : { ...stopped, verdict: 'unclear', evidence: 'Not tried any further.' };
  });
}
