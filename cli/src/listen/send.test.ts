import { expect, test } from 'vitest';
import { readTarget } from './send.ts';

test.each([
  ['3000', 'http://localhost:3000/'],
  [':3000/hook', 'http://localhost:3000/hook'],
  ['localhost:3000/hook?next=http://a', 'http://localhost:3000/hook?next=http://a'],
  ['my_service/hook', 'http://my_service/hook'],
  ['[::1]:3000', 'http://[::1]:3000/'],
  ['HTTPS://shop.example', 'https://shop.example/'],
])('reads the target %s', (text, address) => {
  expect(readTarget(text).href).toBe(address);
});

test.each([
  '',
  'ht!tp://',
  'http://',
  'http:/hook',
  'ftp://localhost',
  'localhost:',
  '!!!',
  'a b',
  '3000000',
])('refuses %j as a target', (text) => {
  expect(() => readTarget(text)).toThrow(`${text} is not an address to forward to`);
});
