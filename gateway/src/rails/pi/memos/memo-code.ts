// The code of memos: eight characters of a number below 2^40 and two that check them, as one word of a linear code
// over the field of 32 elements. Any two of its words differ in three places or more, so that no two wrong
// characters, and no two that changed places, make another word of it.

/** Crockford's base 32: no letter that looks like a digit. */
export const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const dataLength = 8;
export const memoLength = dataLength + 2;

/** Powers of a generator of the field, and which power an element is. */
const powers = new Uint8Array(31);
const logarithms = new Uint8Array(32);
for (let at = 0, value = 1; at < 31; at++) {
  powers[at] = value;
  logarithms[value] = at;
  // By x^5 + x^2 + 1.
  value = value & 16 ? (value << 1) ^ 0b100101 : value << 1;
}

const logarithm = (element: number): number => logarithms[element] ?? 0;
const power = (exponent: number): number => powers[((exponent % 31) + 31) % 31] ?? 0;

function product(one: number, other: number): number {
  if (one === 0 || other === 0) return 0;
  return power(logarithm(one) + logarithm(other));
}

/** Both are zero for a word of the code. */
function syndromes(word: readonly number[]): [number, number] {
  let sum = 0;
  let weighted = 0;
  for (const [at, value] of word.entries()) {
    sum ^= value;
    weighted ^= product(power(at), value);
  }
  return [sum, weighted];
}

/** The memo of a number below 2^40. */
export function memoOf(number: bigint): string {
  const word: number[] = [];
  for (let place = dataLength - 1; place >= 0; place--) {
    word.push(Number.parseInt(((number >> BigInt(place * 5)) & 31n).toString(), 10));
  }
  const [sum, weighted] = syndromes(word);
  const rest = weighted ^ product(power(dataLength), sum);
  const last = product(rest, power(-logarithm(power(dataLength) ^ power(dataLength + 1))));
  word.push(sum ^ last, last);
  return word.map((value) => alphabet[value]).join('');
}

/**
 * The memo that a person meant: in any case, with spaces or hyphens in it, O for 0, I or L for 1. Null for a text
 * that cannot be one.
 */
export function readMemo(text: string): string | null {
  const plain = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  if (plain.length !== memoLength) return null;
  const word = [...plain].map((letter) => alphabet.indexOf(letter));
  if (word.includes(-1)) return null;
  const [sum, weighted] = syndromes(word);
  return sum === 0 && weighted === 0 ? plain : null;
}
