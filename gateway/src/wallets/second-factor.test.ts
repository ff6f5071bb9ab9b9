import { expect, test } from 'vitest';
import { newId } from '../kit/ids.ts';
import { isProved, type SecondFactor, secondFactorShown } from './second-factor.ts';

const now = new Date('2026-03-01T12:00:00Z');
const [jane, max] = [newId<'user'>(now), newId<'user'>(now)];
const earlier = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test('a second factor is good for its own user, for five minutes', () => {
  const proof = secondFactorShown(jane, earlier(300));
  expect(isProved(proof, jane, now)).toBe(true);
  expect(isProved(proof, max, now)).toBe(false);
  expect(isProved(secondFactorShown(jane, earlier(301)), jane, now)).toBe(false);
  expect(isProved(null, jane, now)).toBe(false);
});

test('nothing else counts as one, also not what looks like it', () => {
  const proof = secondFactorShown(jane, now);
  expect(isProved({ ...proof } as SecondFactor, jane, now)).toBe(false);
  expect(() => Object.assign(proof, { userId: max })).toThrow();
});
