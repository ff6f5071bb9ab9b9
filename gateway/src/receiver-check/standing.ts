import { forged, valid, validAgain, wrongWebhook, wrongX } from './belief-cases.ts';
import type { Result } from './result.ts';

/** What the first answers say of a receiver, on which the meaning of all others rests. */
export type Standing =
  | { kind: 'takes' }
  /** It tells genuine from forged, and yet gives genuine ones another answer than 2xx. */
  | { kind: 'knows'; first: Result; byStatus: boolean }
  | { kind: 'believes all' }
  | { kind: 'too slow' }
  | {
      kind:
        | 'unreachable'
        | 'busy'
        | 'redirects'
        | 'refuses all'
        | 'fails at all'
        | 'is elsewhere'
        | 'breaks off';
    };

export type Results = ReadonlyMap<string, Result>;

/** The answer to a genuine delivery: to the second one where the first got none in time. */
export function firstOf(results: Results): Result | undefined {
  return results.get(validAgain.name) ?? results.get(valid.name);
}

export function standingOf(results: Results): Standing {
  const first = firstOf(results);
  const fake = results.get(forged.name);
  const isAnswered = fake !== undefined && fake.statusCode !== null && fake.outcome !== 'later';
  if (!first || first.outcome === 'unsent') return { kind: 'unreachable' };
  if (first.outcome === 'redirected') return { kind: 'redirects' };
  if (first.outcome === 'dropped') return { kind: isAnswered ? 'breaks off' : 'unreachable' };
  if (first.outcome === 'slow') return { kind: isAnswered ? 'too slow' : 'unreachable' };
  if (first.outcome === 'taken') return { kind: fake?.outcome === 'taken' ? 'believes all' : 'takes' };
  if (first.outcome === 'later') return { kind: 'busy' };
  if (isAnswered && tellsApart(first, fake, results)) {
    return { kind: 'knows', first, byStatus: first.statusCode !== fake.statusCode };
  }
  if (first.outcome === 'failed') return { kind: 'fails at all' };
  return { kind: [404, 405, 501].includes(first.statusCode ?? 0) ? 'is elsewhere' : 'refuses all' };
}

/**
 * Whether it refuses a genuine delivery, which did not get 2xx, for another reason than its signatures. An
 * answer that it also gives to one wrong signature may mean either: then status and words decide.
 */
function tellsApart(first: Result, fake: Result, results: Results): boolean {
  if (sameAnswer(first, fake)) return false;
  const halves = [wrongX, wrongWebhook].flatMap(({ name }) => results.get(name) ?? []);
  if (halves.length === 2 && halves.every((half) => !sameAnswer(first, half))) return true;
  const words = first.response ?? '';
  if (/signature|secret|hmac|unauthori[sz]ed|whsec/i.test(words)) return false;
  const isRefusal = [400, 401, 403].includes(first.statusCode ?? 0);
  return !isRefusal || /order|payment|reference|not found|unknown/i.test(words);
}

/** Whether two answers differ in nothing but ids, times and counts. */
export function sameAnswer(one: Result, other: Result): boolean {
  return one.statusCode === other.statusCode && withoutIds(one.response) === withoutIds(other.response);
}

function withoutIds(text: string | null): string {
  return (text ?? '').replace(/TEST_CHECK_\w+|[0-9a-f-]{16,}|\d+/gi, '#');
}

/** Whether nothing can be concluded from how it ended. */
export function isUnanswered({ outcome }: Result): boolean {
  return outcome === 'slow' || outcome === 'unsent' || outcome === 'later';
}

/** Whether the receiver took it for genuine. */
export function isBelieved(result: Result, standing: Standing): boolean {
  if (result.outcome === 'taken') return true;
  if (standing.kind !== 'knows') return false;
  // Words may repeat what was sent; where the status tells, it alone does.
  if (standing.byStatus) return result.statusCode === standing.first.statusCode;
  return sameAnswer(result, standing.first);
}

/** Which signatures decide; both false: one of the two is enough. */
export function checksOf(results: Results, standing: Standing): { plain: boolean; standard: boolean } {
  const decides = (name: string, other: string): boolean => {
    const result = results.get(name);
    // Where one secret is unknown, the other one alone was signed with.
    if (!result) return results.get(other) !== undefined;
    return !isUnanswered(result) && !isBelieved(result, standing);
  };
  return {
    plain: decides(wrongX.name, wrongWebhook.name),
    standard: decides(wrongWebhook.name, wrongX.name),
  };
}
