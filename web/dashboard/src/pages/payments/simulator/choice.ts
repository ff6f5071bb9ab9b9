import type { Outcome, Scenario } from './queries.ts';

/**
 * The outcomes after one was pressed: it joins those that it combines with and takes the place of the others, or
 * leaves when it was chosen already. There is always one.
 */
export function pressed(
  scenarios: readonly Scenario[],
  chosen: readonly Outcome[],
  outcome: Outcome,
): readonly Outcome[] {
  if (chosen.includes(outcome)) {
    const left = chosen.filter((each) => each !== outcome);
    return left.length > 0 ? left : chosen;
  }
  const partners = scenarios.find((each) => each.outcome === outcome)?.combines_with ?? [];
  return [...chosen.filter((each) => partners.includes(each)), outcome];
}

/** Whether an outcome can join all that are chosen. */
export function joins(scenario: Scenario, chosen: readonly Outcome[]): boolean {
  return chosen.every((each) => each === scenario.outcome || scenario.combines_with.includes(each));
}
