import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alphabet, memoLength, memoOf, readMemo } from './memo-code.ts';

const number = fc.bigInt({ min: 0n, max: 2n ** 40n - 1n });

test('a number has one memo of ten characters, which is read as itself', () => {
  fc.assert(
    fc.property(number, (each) => {
      const memo = memoOf(each);
      expect(memo).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
      expect(readMemo(memo)).toBe(memo);
    }),
  );
});

test('every single wrong character is found', () => {
  fc.assert(
    fc.property(number, (each) => {
      const memo = memoOf(each);
      for (let at = 0; at < memoLength; at++) {
        for (const letter of alphabet) {
          if (letter === memo[at]) continue;
          expect(readMemo(memo.slice(0, at) + letter + memo.slice(at + 1))).toBeNull();
        }
      }
    }),
    { numRuns: 20 },
  );
});

test('any two characters that changed places are found', () => {
  fc.assert(
    fc.property(number, (each) => {
      const memo = [...memoOf(each)];
      for (let one = 0; one < memoLength; one++) {
        for (let other = one + 1; other < memoLength; other++) {
          if (memo[one] === memo[other]) continue;
          const swapped = memo.with(one, memo[other]!).with(other, memo[one]!).join('');
          expect(readMemo(swapped)).toBeNull();
        }
      }
    }),
  );
});

test('any two wrong characters are found', () => {
  const place = fc.integer({ min: 0, max: memoLength - 1 });
  const letter = fc.constantFrom(...alphabet);
  fc.assert(
    fc.property(number, place, letter, place, letter, (each, one, first, other, second) => {
      const memo = memoOf(each);
      const wrong = [...memo].with(one, first).with(other, second).join('');
      expect(readMemo(wrong)).toBe(wrong === memo ? memo : null);
    }),
    { numRuns: 2_000 },
  );
});

test('a memo is read as people write it', () => {
  const memo = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n].map(memoOf).find((each) => /0.*1|1.*0/.test(each))!;
  for (const written of [
    memo.toLowerCase(),
    ` ${memo}\n`,
    `${memo.slice(0, 5)}-${memo.slice(5)}`,
    [...memo].join(' '),
    memo.replaceAll('0', 'O').replaceAll('1', 'I'),
    memo.replaceAll('0', 'o').replaceAll('1', 'l'),
  ]) {
    expect(readMemo(written)).toBe(memo);
  }
});

test.each(['', 'hello', '0000000001', 'x'.repeat(10), '1'.repeat(11), '🙂'.repeat(5), 'ÀÀÀÀÀÀÀÀÀÀ'])(
  'another text is none: %s',
  (text) => expect(readMemo(text)).toBeNull(),
);
