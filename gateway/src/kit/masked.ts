import { randomBytes } from 'node:crypto';

/** The first character of a masked token: no plain one has it. */
const mark = '.';

/**
 * Makes the masker of one answer. A token in a compressed answer, beside text that others chose, could be guessed by the
 * answer's length; a masked token is another text in every answer.
 */
export function masker(): (token: string) => string {
  const noise = randomBytes(32);
  return (token) => {
    const plain = Buffer.from(token);
    const mask = noise.subarray(0, plain.length);
    if (mask.length < plain.length) throw new Error('The token is longer than its mask');
    return mark + Buffer.concat([mask, xor(plain, mask)]).toString('base64url');
  };
}

/** The token of a masked one; any other text unchanged. */
export function unmasked(text: string): string {
  if (!text.startsWith(mark)) return text;
  const both = Buffer.from(text.slice(mark.length), 'base64url');
  if (both.length % 2 !== 0) return text;
  const half = both.length / 2;
  const token = xor(both.subarray(half), both.subarray(0, half)).toString();
  // The result of a text that no masker made could hold bytes that the database refuses.
  return /^[\w-]*$/.test(token) ? token : text;
}

function xor(text: Buffer, mask: Buffer): Buffer {
  return Buffer.from(text.map((byte, at) => byte ^ (mask[at] ?? 0)));
}
