import type { KeptAct } from '../../../../../gateway/src/identity/console/answers/proposals.ts';
import { t } from '../../texts/t.ts';
import { toast } from './toast.ts';

/** What a call answers for an act that one operator may not do alone: done, or kept as a proposal. */
export type Outcome<Result> = Result | KeptAct;

function isKept(outcome: unknown): outcome is KeptAct {
  return typeof outcome === 'object' && outcome !== null && 'proposal' in outcome;
}

/** What the toast says of an act that worked. */
export type Words<Result> = string | ((result: Result) => string);

export function wordsOf<Result>(words: Words<Result>, result: Result): string {
  return typeof words === 'string' ? words : words(result);
}

/** What became of such an act: `words` when it was done, else what it waits for. */
export function outcomeWords<Result>(outcome: Outcome<Result>, words: Words<Result>): string {
  if (!isKept(outcome)) return wordsOf(words, outcome);
  return outcome.proposal.due_at === null
    ? t('Another operator has to confirm it, under Proposals.')
    : t('It is done in 24 hours, unless you cancel it under Proposals.');
}

/** Says it. */
export function toastOutcome<Result>(outcome: Outcome<Result>, words: Words<Result>): void {
  toast(outcomeWords(outcome, words));
}
