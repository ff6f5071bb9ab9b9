import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSeal,
  deriveFrom,
  headerBytes,
  masterKeyOf,
  openEarlier,
  openVersion0,
  type Place,
  sealUnder,
} from './seal.ts';

const place: Place = { table: 'api_keys', column: 'sealed', row: '0190a000-0000-7000-8000-000000000000' };
const masterKey = randomBytes(32);
const seal = createSeal(masterKey);
const text = fc.string({ unit: 'grapheme' });
const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', ' '), maxLength: 6 });
const places = fc.record({ table: name, column: name, row: name });

describe('a sealed value', () => {
  test('is opened again where it was sealed, whatever its characters', () => {
    fc.assert(
      fc.property(text, places, (secret, at) => {
        expect(seal.open(seal.seal(secret, at), at)).toBe(secret);
      }),
    );
  });

  test('opens in no other table, row or column', () => {
    fc.assert(
      fc.property(text, places, places, (secret, at, elsewhere) => {
        fc.pre(JSON.stringify(at) !== JSON.stringify(elsewhere));
        const sealed = seal.seal(secret, at);
        expect(() => seal.open(sealed, elsewhere)).toThrow();
      }),
    );
  });

  test('opens neither where two parts of its place were swapped nor where one took a letter of the next', () => {
    fc.assert(
      fc.property(places, fc.constantFrom('table', 'column', 'row'), (at, part) => {
        const { table, column, row } = at;
        const swapped = {
          table: { table: column, column: table, row },
          column: { table, column: row, row: column },
          row: { table: table + column.slice(0, 1), column: column.slice(1), row },
        }[part];
        fc.pre(JSON.stringify(at) !== JSON.stringify(swapped));
        expect(() => seal.open(seal.seal('sk_test_secret', at), swapped)).toThrow();
      }),
    );
  });

  test('does not open with any other key', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), text, (bytes, secret) => {
        fc.pre(!masterKey.equals(bytes));
        const other = createSeal(Buffer.from(bytes));
        expect(() => other.open(seal.seal(secret, place), place)).toThrow();
      }),
    );
  });

  test('does not open under another key whose id it was given', () => {
    const other = randomBytes(32);
    const moved = Buffer.concat([
      createSeal(other).seal('x', place).subarray(0, headerBytes),
      seal.seal('sk_test_secret', place).subarray(headerBytes),
    ]);
    const keys = [masterKey, other].map(masterKeyOf);
    const both = { active: keys[0]!, all: new Map(keys.map((key) => [key.id, key])) };
    const ofBoth = sealUnder(
      () => both,
      () => undefined,
    );
    expect(ofBoth.open(seal.seal('sk_test_secret', place), place)).toBe('sk_test_secret');
    expect(ofBoth.open(createSeal(other).seal('x', place), place)).toBe('x');
    expect(() => ofBoth.open(moved, place)).toThrow();
  });

  test('does not open when any one bit was changed', () => {
    const sealed = seal.seal('sk_test_secret', place);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => seal.open(changed, place)).toThrow();
    }
  });

  test('does not open when it was cut short or made longer', () => {
    const sealed = seal.seal('sk_test_secret', place);
    for (let length = 0; length < sealed.length; length++) {
      expect(() => seal.open(sealed.subarray(0, length), place)).toThrow();
    }
    expect(() => seal.open(Buffer.concat([sealed, Buffer.of(0)]), place)).toThrow();
  });

  test('is another one each time, in which the text cannot be read', () => {
    const [one, other] = [seal.seal('sk_test_secret', place), seal.seal('sk_test_secret', place)];
    expect(one.equals(other)).toBe(false);
    expect(one.includes('secret')).toBe(false);
  });
});

describe('a value from before the envelope', () => {
  function version0(secret: string, key: Buffer): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }
  const key = masterKeyOf(masterKey);

  test('opens only for what seals it anew', () => {
    const kept = Buffer.concat([Buffer.of(0), version0('sk_test_ö', masterKey)]);
    expect(openEarlier(kept, [masterKeyOf(randomBytes(32)), key])).toBe('sk_test_ö');
    expect(openEarlier(Buffer.concat([Buffer.of(255), Buffer.from('Grüße')]), [key])).toBe('Grüße');
    expect(() => seal.open(kept, place)).toThrow('not sealed as this version seals');
    expect(() => seal.open(version0('sk_test_ö', masterKey), place)).toThrow();
  });

  test('does not open with another key, with a changed bit or with a part of its tag', () => {
    const kept = version0('secret', masterKey);
    expect(openVersion0(kept, masterKeyOf(randomBytes(32)).key)).toBeNull();
    for (let bit = 0; bit < kept.length * 8; bit++) {
      const changed = Buffer.from(kept);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(openVersion0(changed, key.key)).toBeNull();
    }
    for (const length of [0, 11, 12, 16, 20, 27]) {
      expect(openVersion0(kept.subarray(0, length), key.key)).toBeNull();
    }
    expect(() => openEarlier(Buffer.concat([Buffer.of(0), kept]), [])).toThrow('not here');
    expect(() => openEarlier(seal.seal('x', place), [key])).toThrow('neither sealed');
  });
});

test('a master key of another length is refused', () => {
  for (const length of [0, 16, 31, 33, 64])
    expect(() => createSeal(Buffer.alloc(length))).toThrow('32 bytes');
});

test('the id of a key is the same each time, and says nothing of the key', () => {
  const { id } = masterKeyOf(masterKey);
  expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(masterKeyOf(Buffer.from(masterKey)).id).toBe(id);
  expect(masterKey.toString('hex')).not.toContain(id);
});

test('a derived key is the same each time, different for each purpose, and not the master key', () => {
  const sessions = () => seal.derive('console sessions').toString('hex');
  const devices = deriveFrom(masterKeyOf(masterKey), 'devices of the hosted page').toString('hex');
  expect(sessions()).toBe(createSeal(masterKey).derive('console sessions').toString('hex'));
  expect(sessions()).toHaveLength(64);
  expect(new Set([sessions(), devices, masterKey.toString('hex')]).size).toBe(3);
});
