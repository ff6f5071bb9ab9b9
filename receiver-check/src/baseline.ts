import type { Answer } from './answer.ts';
import { forged, valid, validAgain, wrongWebhook, wrongX } from './cases.ts';

/** What the first answers show of a receiver. The meaning of all other answers depends on it. */
export type Baseline =
  /** It refuses forged deliveries, but answers genuine ones with something else than 2xx too. */
  | { kind: 'refuses unknown payments'; first: Answer; byStatus: boolean }
  | {
      kind:
        | 'takes genuine'
        | 'takes forged'
        | 'too slow'
        | 'unreachable'
        | 'rate limited'
        | 'redirects'
        | 'refuses genuine'
        | 'always fails'
        | 'no such route'
        | 'drops genuine';
    };

export type Answers = ReadonlyMap<string, Answer>;

/** The answer to a genuine delivery: to the second one where the first got none in time. */
export function firstOf(answers: Answers): Answer | undefined {
  return answers.get(validAgain.name) ?? answers.get(valid.name);
}

export function baselineOf(answers: Answers): Baseline {
  const first = firstOf(answers);
  const fake = answers.get(forged.name);
  const isFakeAnswered = fake !== undefined && fake.status_code !== null && fake.outcome !== 'later';
  if (!first || first.outcome === 'unsent') return { kind: 'unreachable' };
  if (first.outcome === 'redirected') return { kind: 'redirects' };
  if (first.outcome === 'later') return { kind: 'rate limited' };
  if (first.outcome === 'taken')
    return { kind: fake?.outcome === 'taken' ? 'takes forged' : 'takes genuine' };
  if (first.outcome === 'dropped') return { kind: isFakeAnswered ? 'drops genuine' : 'unreachable' };
  if (first.outcome === 'slow') return { kind: isFakeAnswered ? 'too slow' : 'unreachable' };
  if (isFakeAnswered && recognisesGenuine(first, fake, answers)) {
    const byStatus = first.status_code !== fake.status_code;
    return { kind: 'refuses unknown payments', first, byStatus };
  }
  if (first.outcome === 'failed') return { kind: 'always fails' };
  return { kind: [404, 405, 501].includes(first.status_code ?? 0) ? 'no such route' : 'refuses genuine' };
}

/**
 * Whether a genuine delivery without 2xx was refused for another reason than its signatures. When one wrong
 * signature gets the same answer, status and words decide.
 */
function recognisesGenuine(first: Answer, fake: Answer, answers: Answers): boolean {
  if (sameAnswer(first, fake)) return false;
  const halves = [wrongX, wrongWebhook].flatMap(({ name }) => answers.get(name) ?? []);
  if (halves.length === 2 && halves.every((half) => !sameAnswer(first, half))) return true;
  const words = first.response ?? '';
  if (/signature|secret|hmac|unauthori[sz]ed|whsec/i.test(words)) return false;
  const isRefusal = [400, 401, 403].includes(first.status_code ?? 0);
  return !isRefusal || /order|payment|reference|not found|unknown/i.test(words);
}

/** Whether two answers differ only in ids, times and counts. */
export function sameAnswer(one: Answer, other: Answer): boolean {
  return one.status_code === other.status_code && withoutIds(one.response) === withoutIds(other.response);
}

function withoutIds(text: string | null): string {
  return (text ?? '').replace(/TEST_CHECK_\w+|[0-9a-f-]{16,}|\d+/gi, '#');
}

/** Whether nothing can be concluded from the answer. */
export function isUnanswered({ outcome }: Answer): boolean {
  return outcome === 'slow' || outcome === 'unsent' || outcome === 'later';
}

/** Whether the receiver took the delivery for genuine. */
export function isBelieved(answer: Answer, baseline: Baseline): boolean {
  if (answer.outcome === 'taken') return true;
  if (baseline.kind !== 'refuses unknown payments') return false;
  // A text may repeat what was sent, so texts are compared only when the two statuses are the same.
  if (baseline.byStatus) return answer.status_code === baseline.first.status_code;
  return sameAnswer(answer, baseline.first);
}

/** Which signatures the receiver depends on; both false: one right signature of the two is enough. */
export function checkedSignatures(answers: Answers, baseline: Baseline) {
  const depends = (name: string, other: string): boolean => {
    const answer = answers.get(name);
    // Without one secret, deliveries were signed by the other one alone.
    if (!answer) return answers.has(other);
    return !isUnanswered(answer) && !isBelieved(answer, baseline);
  };
  return {
    plain: depends(wrongX.name, wrongWebhook.name),
    standard: depends(wrongWebhook.name, wrongX.name),
  };
}
