import type { KnownEvent } from '../merchant/words.ts';

/** Words that people use for the last part of a type. */
const synonyms: Readonly<Record<string, string>> = {
  paid: 'completed',
  success: 'completed',
  succeeded: 'completed',
  confirmed: 'completed',
  expired: 'abandoned',
  declined: 'failed',
  failure: 'failed',
  canceled: 'cancelled',
  disputed: 'in_appeal',
  dispute: 'in_appeal',
  refund: 'refunded',
};

/** How many letters a word may be wrong by. */
const mostWrong = 2;

/** The one event that is meant, or those that could be; an empty list: none is near. */
export type Guess = { is: KnownEvent } | { near: readonly KnownEvent[] };

/**
 * Which event a text means: `payment_complete`, `Payment.Completed`, `paid`. A word that fits a payment and a payout means
 * the payment.
 */
export function guessEvent(text: string, types: readonly KnownEvent[]): Guess {
  const word = text.toLowerCase().replaceAll(/[^a-z]+/g, '_');
  const known = types.find((type) => type === word);
  if (known !== undefined) return { is: known };
  for (const find of [meant, containing, mistyped]) {
    const found = find(word, types);
    const payments = found.filter((type) => type.startsWith('payment_'));
    const [only, ...others] = payments.length === 1 ? payments : found;
    if (only !== undefined) return others.length === 0 ? { is: only } : { near: found };
  }
  return { near: [] };
}

/** Those whose last part is the word, or what people call it. */
function meant(word: string, types: readonly KnownEvent[]): KnownEvent[] {
  const last = word.replace(/^(?:payment|payout|refund)_/, '');
  const noun = word === last ? '' : word.slice(0, -last.length);
  const part = synonyms[last] ?? last;
  return types.filter(
    (type) => type.startsWith(noun) && (type === `${noun}${part}` || type.endsWith(`_${part}`)),
  );
}

/** Those that contain the word, of four letters at least. */
function containing(word: string, types: readonly KnownEvent[]): KnownEvent[] {
  return word.length < 4 ? [] : types.filter((type) => type.includes(word));
}

/** Those that the word, or the word without its noun, is mistyped for. */
function mistyped(word: string, types: readonly KnownEvent[]): KnownEvent[] {
  const distanceOf = (type: string): number =>
    Math.min(distance(word, type), distance(word, type.slice(type.indexOf('_') + 1)));
  const near = types
    .map((type) => ({ type, wrong: distanceOf(type) }))
    .filter(({ wrong }) => wrong <= mostWrong);
  const least = Math.min(...near.map(({ wrong }) => wrong));
  return near.flatMap(({ type, wrong }) => (wrong === least ? [type] : []));
}

/** How many letters must be put in, left out or changed to make one word the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [index, its] of [...other].entries()) {
      const changed = (row[index] ?? 0) + (letter === its ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
