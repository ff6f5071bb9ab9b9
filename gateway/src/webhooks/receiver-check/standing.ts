import { forged, valid, wrongWebhook, wrongX } from './belief-cases.ts';
import type { Result } from './result.ts';

/** What the first answers say of a receiver, on which the meaning of all others rests. */
export type Standing =
  | { kind: 'takes' }
  /** It tells genuine from forged, and yet gives genuine ones another answer than 2xx. */
  | { kind: 'knows'; first: Result }
  | { kind: 'believes all' }
  | { kind: 'too slow' }
  | { kind: 'unreachable' | 'redirects' | 'refuses all' | 'fails at all' | 'is elsewhere' | 'breaks off' };

export type Results = ReadonlyMap<string, Result>;

export function standingOf(results: Results): Standing {
  const first = results.get(valid.name);
  const fake = results.get(forged.name);
  if (!first || first.outcome === 'unsent') return { kind: 'unreachable' };
  if (first.outcome === 'redirected') return { kind: 'redirects' };
  if (first.outcome === 'dropped') {
    return { kind: fake && fake.statusCode !== null ? 'breaks off' : 'unreachable' };
  }
  if (first.outcome === 'slow') {
    return fake?.outcome === 'refused' ? { kind: 'too slow' } : { kind: 'unreachable' };
  }
  if (first.outcome === 'taken') return { kind: fake?.outcome === 'taken' ? 'believes all' : 'takes' };
  if (fake && fake.outcome === 'refused' && tellsApart(first, fake, results)) return { kind: 'knows', first };
  if (first.outcome === 'failed') return { kind: 'fails at all' };
  return { kind: [404, 405, 501].includes(first.statusCode ?? 0) ? 'is elsewhere' : 'refuses all' };
}

/** Whether the answer to a genuine delivery, which is not 2xx, is another one than to a forged one. */
function tellsApart(first: Result, fake: Result, results: Results): boolean {
  if (first.statusCode !== fake.statusCode) return !refusesSignatures(first);
  if (sameAnswer(first, fake) || refusesSignatures(first)) return false;
  // Of one status, only their words differ; and two wrong signatures may be refused in two ways.
  const halves = [wrongX, wrongWebhook].map(({ name }) => results.get(name));
  const speaksOfPayment = /order|payment|reference|not found|unknown/i.test(first.response ?? '');
  return speaksOfPayment && halves.some((half) => half && !sameAnswer(first, half));
}

function refusesSignatures({ statusCode, response }: Result): boolean {
  return statusCode === 401 || /signature|secret|hmac|unauthori[sz]ed|whsec/i.test(response ?? '');
}

/** Whether two answers differ in nothing but ids, times and counts. */
export function sameAnswer(one: Result, other: Result): boolean {
  return one.statusCode === other.statusCode && withoutIds(one.response) === withoutIds(other.response);
}

function withoutIds(text: string | null): string {
  return (text ?? '').replace(/TEST_CHECK_\w+|[0-9a-f-]{16,}|\d+/gi, '#');
}

/** Whether the receiver took it for genuine. */
export function isBelieved(result: Result, standing: Standing): boolean {
  if (result.outcome === 'taken') return true;
  return standing.kind === 'knows' && sameAnswer(result, standing.first);
}

/** Which signatures decide; both false: one of the two is enough. */
export function checksOf(results: Results, standing: Standing): { plain: boolean; standard: boolean } {
  const decides = (name: string, other: string): boolean => {
    const result = results.get(name);
    // Where one secret is unknown, the other one alone was signed with.
    if (!result) return results.get(other) !== undefined;
    return result.outcome !== 'unsent' && !isBelieved(result, standing);
  };
  return {
    plain: decides(wrongX.name, wrongWebhook.name),
    standard: decides(wrongWebhook.name, wrongX.name),
  };
}
