import { expect, test } from 'vitest';
import { strengthOf } from '../../web/passwords.ts';

test.each([
  ['', 0],
  ['Tr0ub4dor&3', 0],
  ['aaaaaaaaaaaaaaaaaaaa', 0],
  ['abcdefghijklmnop', 0],
  ['123412341234', 0],
  ['horse battery', 1],
  ['correct horse battery staple', 2],
  ['mq7#Lw2pZr9!vK', 2],
])('%s is of strength %s', (password, strength) => {
  expect(strengthOf(password)).toBe(strength);
});
