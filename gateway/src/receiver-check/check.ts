import {
  afterForgeries,
  afterNonsense,
  beliefCases,
  forged,
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
import { type OtherSecret, otherSecretProbes, probes } from './probes.ts';
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
const fewLanes = 4;
const manyLanes = 8;
/** What takes longer is not sent one after the other. */
const slowMs = 1_000;
/** About so many genuine deliveries are sent, for which there is so much time. */
const genuineCount = 40;
const genuineMs = 30_000;

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

/** How many exchanges a check has where both secrets are known and nothing ends it early. */
export const plannedExchanges = everyCase.length;

/**
 * Tries a receiver with about fifty deliveries of payments that do not exist, in less than a minute, and says
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
  const standing = await sendAll(run, deps.receiver.otherSecrets);
  const rules = judgeAll(run, standing);
  const diagnosis = diagnose(standing, run.results, signing);
  const exchanges = [...run.results.values()].map(exchangeReport);
  return { planned: exchanges.length, score: scoreOf(rules), diagnosis, rules, exchanges };
}

async function sendAll(run: Run, others: readonly OtherSecret[]): Promise<Standing> {
  await run.send([[valid]], 1);
  if (firstOf(run.results)?.outcome === 'slow') await run.send([[validAgain]], 1);
  const first = firstOf(run.results);
  if (!first || run.isGone() || first.outcome === 'redirected') return standingOf(run.results);
  await run.send(alone(beliefCases), first.durationMs > slowMs ? manyLanes : 1);
  const standing = standingOf(run.results);
  if (standing.kind === 'refuses all') {
    await run.send(alone([...probes, ...otherSecretProbes(others)]), fewLanes);
  }
  if (!goesOn(standing)) return standing;
  const refusalMs = run.results.get(forged.name)?.durationMs ?? 0;
  await run.send(alone([...forgeryCases, ...replayCases]), refusalMs > slowMs ? manyLanes : 1);
  await run.send([[afterForgeries]], 1);
  const isStuck = standing.kind === 'too slow' && run.results.get(afterForgeries.name)?.outcome === 'slow';
  // A receiver that takes nothing in time would use up the minute, and no rule could be told by it.
  if (!isStuck) {
    await run.send(genuineLists, lanesFor(first.durationMs));
    await run.send([[crowdCase]], 1);
  }
  // One after the other, so that it is known which of them did harm.
  await run.send([nonsenseCases], 1);
  await run.send([[afterNonsense]], 1);
  return standing;
}

/**
 * As many at once as the time asks for, and else no more than a receiver gets through in half of its five
 * seconds when it takes one after the other.
 */
function lanesFor(durationMs: number): number {
  const asked = Math.ceil((genuineCount * durationMs) / genuineMs);
  const borne = Math.min(Math.floor(2_500 / Math.max(durationMs, 1)), fewLanes);
  return Math.min(Math.max(asked, borne), manyLanes);
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
