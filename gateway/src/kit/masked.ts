import { randomBytes } from 'node:crypto';

/** What begins a masked token: no plain one has it. */
const mark = '.';

/**
 * Makes the masker of one answer. A token that stands in a compressed answer beside what others chose could be guessed by the
 * answer's length; masked, it is another text in every answer.
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

/** The token that was masked; any other text as it is. */
export function unmasked(text: string): string {
  if (!text.startsWith(mark)) return text;
  const both = Buffer.from(text.slice(mark.length), 'base64url');
  if (both.length % 2 !== 0) return text;
  const half = both.length / 2;
  const token = xor(both.subarray(half), both.subarray(0, half)).toString();
  // Of text that no masker made, nothing is left that the database could not hold.
  return /^[\w-]*$/.test(token) ? token : text;
}

function xor(text: Buffer, mask: Buffer): Buffer {
  return Buffer.from(text.map((byte, at) => byte ^ (mask[at] ?? 0)));
}
