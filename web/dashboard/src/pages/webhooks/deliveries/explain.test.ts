import { describe, expect, test } from 'vitest';
import type { FaultKind } from '../types/chaos.ts';
import { durationText, explain, isTaken } from './explain.ts';

const after = (
  status_code: number | null,
  error: string | null = null,
  injected_fault: FaultKind | null = null,
) => explain({ status_code, error, injected_fault, duration_ms: 120 });

describe('an attempt is explained', () => {
  test('when it was taken, by how long that took', () => {
    expect(after(204)).toEqual({ what: 'Your server took it in 120 ms.' });
  });

  test.each([
    [301, /no redirects/],
    [401, /header that Florin does not send/],
    [404, /nothing at this path/],
    [418, /200 to 299/],
    [500, /own code failed/],
    [507, /log at that moment/],
  ])('by what to do about %i', (code, todo) => {
    const { what, todo: advice } = after(code);
    expect(what).toBe(`Your server answered ${code}.`);
    expect(advice).toMatch(todo);
  });

  test.each([
    ['No complete answer within 5 s', /slow work afterwards/],
    ['connect ECONNREFUSED 203.0.113.9:443', /Nothing listens/],
    ['getaddrinfo ENOTFOUND shop.example', /name could not be found/],
    ['shop.example leads to an address that is not on the public internet', /public internet only/],
    ['unable to verify the first certificate', /certificate is not good/],
    ['other side closed', /broken off/],
    ['The connection was closed before the answer was complete', /broken off/],
    ['The answer is not valid HTTP', /rules of HTTP/],
    ['something new', /reached from outside/],
  ])('by what to do about “%s”', (error, todo) => {
    const { what, todo: advice } = after(null, error);
    expect(what).toBe(`${error}.`);
    expect(advice).toMatch(todo);
  });
});

describe('an injected fault', () => {
  test('is explained in its own words, and asks for nothing', () => {
    expect(after(null, 'Chaos: held back for 10 s', 'delay')).toEqual({ what: 'Held back for 10 s.' });
  });

  test('is a fault of a receiver that takes what is forged', () => {
    const error = 'Chaos: the receiver accepted a wrong signature';
    expect(after(200, error, 'bad_signature').todo).toMatch(/fault of the receiver/);
    expect(isTaken({ status_code: 200, injected_fault: 'bad_signature' })).toBe(false);
    expect(isTaken({ status_code: 204, injected_fault: null })).toBe(true);
  });
});

test('durations are read in ms below a second', () => {
  expect([durationText(0), durationText(999), durationText(1_449)]).toEqual(['0 ms', '999 ms', '1.4 s']);
});
