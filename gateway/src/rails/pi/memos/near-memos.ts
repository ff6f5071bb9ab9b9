import type { Reader } from '../../../kit/db/db.ts';
import { alphabet, memoLength, readMemo } from './memo-code.ts';

/** No memo of the network is longer: a longer text was not typed from a page. */
const longestText = 28;

/**
 * The payments whose memo this text may mean: with other characters around the memo, with one character wrong, missing
 * or too many, or with two neighbours exchanged. Of the thousands of variants that are tried, the check characters leave
 * a few, and hardly ever the memo of another payment.
 */
export async function nearMemos(reader: Reader, text: string): Promise<string[]> {
  const memos = candidates(text);
  if (memos.length === 0) return [];
  const { rows } = await reader.query<{ owner_id: string }>(
    "SELECT owner_id FROM pi_memos WHERE kind = 'transfer' AND owner_kind = 'payment' AND memo = ANY($1) ORDER BY memo LIMIT 20",
    [memos],
  );
  return rows.map(({ owner_id }) => owner_id);
}

/** Every memo, whether given to a payment or not, that is near to a part of the text. */
export function candidates(text: string): string[] {
  const plain = text.toUpperCase().replace(/[^0-9A-Z]/g, '');
  if (plain.length > longestText) return [];
  const found = new Set<string>();
  for (let start = 0; start < plain.length; start++) {
    for (const length of [memoLength - 1, memoLength, memoLength + 1]) {
      if (start + length > plain.length) continue;
      for (const variant of variantsOf(plain.slice(start, start + length))) {
        const memo = readMemo(variant);
        if (memo !== null) found.add(memo);
      }
    }
  }
  return [...found];
}

/** The texts that are as long as a memo and differ from a part of the text by one mistake. */
function* variantsOf(part: string): Generator<string> {
  const upTo = (at: number, rest: string): string => part.slice(0, at) + rest;
  for (let at = 0; at <= part.length; at++) {
    if (part.length > memoLength) yield upTo(at, part.slice(at + 1));
    else if (part.length < memoLength) for (const each of alphabet) yield upTo(at, each + part.slice(at));
    else if (at < part.length) {
      for (const each of alphabet) yield upTo(at, each + part.slice(at + 1));
      if (at + 1 < part.length) yield upTo(at, part.charAt(at + 1) + part.charAt(at) + part.slice(at + 2));
    }
  }
}
