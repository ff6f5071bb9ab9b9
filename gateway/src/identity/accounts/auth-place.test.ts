import { expect, test } from 'vitest';
import { placeOf } from './auth-place.ts';

test.each([
  ['http://127.0.0.1:4000', false, 'localhost'],
  ['http://localhost:4000', false, 'localhost'],
  ['http://[::1]:4000', false, 'localhost'],
  ['https://localhost:4000', true, 'localhost'],
  ['http://192.0.2.7:4000', true, '192.0.2.7'],
  ['https://pay.example', true, 'pay.example'],
])('cookies of %s are for https alone: %s, and its passkeys for %s', (baseUrl, secure, passkeyHost) => {
  expect(placeOf(baseUrl)).toMatchObject({ secure, passkeyHost, origin: baseUrl, path: '/console' });
});

test('localhost and 127.0.0.1 are the same place; elsewhere only the configured address counts', () => {
  expect(placeOf('http://127.0.0.1:4000').origins).toContain('http://localhost:4000');
  expect(placeOf('http://localhost:4000').origins).toContain('http://127.0.0.1:4000');
  expect(placeOf('https://pay.example').origins).toEqual(['https://pay.example']);
});

test('below a path, cookies belong to that path', () => {
  expect(placeOf('https://shop.example/florin')).toMatchObject({
    origin: 'https://shop.example',
    path: '/florin/console',
  });
});
