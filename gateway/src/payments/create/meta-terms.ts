import { hash } from 'node:crypto';
import type { Owner } from '../../identity/owner.ts';

const maxTerms = 50;
/** Longer values are left out: nobody searches for a whole text. */
export const maxTermLength = 200;

/**
 * The values inside a payment's meta_data by which it is found: its texts and numbers as they were written,
 * at any depth, as what `termOf` makes of them. The first fifty count.
 */
export function metaTerms(owner: Owner, metaData: string): string[] {
  const terms = new Set<string>();
  const note = (_key: string, value: unknown, context?: { source?: string }): unknown => {
    // A number's own digits: a long one would lose some of them as a double.
    const text = typeof value === 'number' ? (context?.source ?? String(value)) : value;
    if (typeof text === 'string' && text !== '' && text.length <= maxTermLength && terms.size < maxTerms) {
      terms.add(termOf(owner, text));
    }
    return value;
  };
  try {
    JSON.parse(metaData, note);
  } catch (error) {
    // It may be nested more deeply than the call stack allows: then it is found by the values before.
    if (!(error instanceof RangeError)) throw error;
  }
  return [...terms];
}

/** One value as a number of 64 bits, another one for each owner; the case of letters makes no difference. */
export function termOf({ integrationId, mode }: Owner, value: string): string {
  const digest = hash('sha256', `${integrationId} ${mode} ${value.trim().toLowerCase()}`, 'buffer');
  return digest.readBigInt64BE(0).toString();
}
