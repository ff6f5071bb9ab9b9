import { expect, test } from 'vitest';
import { ownOrigins } from './own-origins.ts';

test('the configured addresses are ours, and nothing else is', () => {
  const isOwn = ownOrigins(['https://pay.example/florin', 'https://shop.example:8443/pay']);
  expect(isOwn('https://pay.example', 4000)).toBe(true);
  expect(isOwn('https://shop.example:8443', 4000)).toBe(true);
  for (const origin of [
    'http://pay.example',
    'https://pay.example:4000',
    'https://pay.example.evil.example',
    'http://localhost:4000',
    'http://127.0.0.1:4000',
    'null',
    '',
  ]) {
    expect([origin, isOwn(origin, 4000)]).toEqual([origin, false]);
  }
});

test('on this machine every name of it is ours with the port that is served, and no other port or name', () => {
  const isOwn = ownOrigins(['http://127.0.0.1:4000']);
  for (const origin of ['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000']) {
    expect([origin, isOwn(origin, 4000)]).toEqual([origin, true]);
  }
  expect(isOwn('http://localhost:8080', 8080)).toBe(true);
  for (const origin of ['http://localhost:4100', 'http://localhost', 'http://evil.example:4000', 'file://']) {
    expect([origin, isOwn(origin, 4000)]).toEqual([origin, false]);
  }
});
