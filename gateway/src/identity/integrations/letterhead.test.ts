import { expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { postalAddressParser } from './letterhead.ts';

const read = (value: unknown) => postalAddressParser(value, {});

test.each([
  ['12 Roast Street\nBerlin', '12 Roast Street\nBerlin'],
  ['  12 Roast Street \r\n\r\n 10115 Berlin\r', '12 Roast Street\n10115 Berlin'],
  [['1', '2', '3', '4', '5', '6'].join('\n'), '1\n2\n3\n4\n5\n6'],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['<b>12 Roast Street</b>', '<b>12 Roast Street</b>'],
  ['שדרות רוטשילד 12\nתל אביב', 'שדרות רוטשילד 12\nתל אביב'],
])('an address of %j is kept as %j', (value, kept) => {
  expect(read(value)).toBe(kept);
});

test.each([
  ['of blanks', ' \n '],
  ['of seven lines', ['1', '2', '3', '4', '5', '6', '7'].join('\n')],
  ['of 301 characters', 'x'.repeat(301)],
  ['with a mark that turns the text around', 'Berlin\n\u202e12 Roast Street'],
  ['with a control character', 'Berlin\u0007'],
  ['with a NUL', 'a\0b'],
  ['that is no text', 12],
])('an address %s is refused', (_, value) => {
  expect(read(value)).toBeInstanceOf(Refusal);
});

test('no address is absent', () => {
  expect(read(undefined)).toBeUndefined();
});
