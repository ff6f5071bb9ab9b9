import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeal } from './seal.ts';

const seal = createSeal(randomBytes(32));

test('what was sealed is opened again, whatever its characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(seal.open(seal.seal(text))).toBe(text);
    }),
  );
});

test('the same text is sealed differently each time, and cannot be read in the sealed value', () => {
  const [one, other] = [seal.seal('sk_test_secret'), seal.seal('sk_test_secret')];
  expect(one.equals(other)).toBe(false);
  expect(one.includes('secret')).toBe(false);
});

test('a changed bit anywhere is detected', () => {
  const sealed = seal.seal('sk_test_secret');
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed[index]! ^= 1;
    expect(() => seal.open(changed)).toThrow();
  }
});

test('a sealed value that was cut short is not opened', () => {
  const sealed = seal.seal('sk_test_secret');
  for (const length of [0, 11, 12, 20, 27, sealed.length - 1]) {
    expect(() => seal.open(sealed.subarray(0, length))).toThrow();
  }
});

test('another master key opens nothing', () => {
  expect(() => createSeal(randomBytes(32)).open(seal.seal('sk_test_secret'))).toThrow();
});

test('a master key of another length is refused', () => {
  for (const length of [0, 16, 31, 33, 64])
    expect(() => createSeal(Buffer.alloc(length))).toThrow('32 bytes');
});

test('a derived key is the same each time, different for each purpose, and not the master key', () => {
  const masterKey = randomBytes(32);
  const derive = (purpose: string) => createSeal(masterKey).derive(purpose).toString('hex');
  expect(derive('sessions')).toBe(derive('sessions'));
  expect(derive('sessions')).toHaveLength(64);
  expect(new Set([derive('sessions'), derive('links'), masterKey.toString('hex')]).size).toBe(3);
});
