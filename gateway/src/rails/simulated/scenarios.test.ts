import { describe, expect, test } from 'vitest';
import { combine, combinesWith, type Outcome, outcomes, scenarios, whyIncompatible } from './scenarios.ts';

const contract = [
  ...['success', 'failure', 'expire', 'underpaid', 'overpaid', 'split'],
  ...['late', 'wrong_token', 'slow', 'reorg', 'dispute'],
];

test('the outcomes are those of the contract, in its order, and three more', () => {
  expect(outcomes).toEqual([...contract, 'dust', 'two_networks', 'two_currencies', 'exchange_fee']);
});

test('each says in sentences what happens', () => {
  for (const { title, happens, ends } of Object.values(scenarios)) {
    expect(title).toMatch(/^[A-Z][a-z ]+$/);
    expect(happens).toMatch(/^[A-Z].*\.$/);
    expect(ends).not.toMatch(/\.$/);
  }
});

describe('combining', () => {
  test('is the same whichever comes first, and possible only for all that go together in pairs', () => {
    for (const one of outcomes) {
      expect(combinesWith(one)).not.toContain(one);
      for (const other of outcomes) {
        expect(whyIncompatible(other, one)).toBe(whyIncompatible(one, other));
        const together = combine([one, other]);
        expect('script' in together).toBe(combinesWith(one).includes(other));
        expect(combine([other, one])).toHaveProperty('script' in together ? 'script' : 'why');
      }
    }
  });

  test.each<[Outcome[], string]>([
    [['underpaid', 'overpaid'], 'underpaid and overpaid do not combine: both say how much is sent'],
    [['slow', 'late', 'reorg'], 'slow and reorg do not combine: both say how the chain shows them'],
    [['split', 'wrong_token'], 'split and wrong_token do not combine: both say which transfers are sent'],
    [
      ['success', 'failure'],
      'success and failure do not combine: failure sends nothing and is played by itself',
    ],
    [['expire', 'late'], 'expire and late do not combine: expire sends nothing and is played by itself'],
    [
      ['underpaid', 'dispute'],
      'underpaid and dispute do not combine: after underpaid there is nothing to dispute',
    ],
    [['slow', 'slow'], 'slow and slow do not combine: it is there twice'],
  ])('%j is refused with the reason', (played, why) => {
    expect(combine(played)).toEqual({ why });
  });

  test('takes from each what it changes, and leaves the rest', () => {
    expect(combine(['underpaid', 'slow', 'late'])).toEqual({
      script: {
        first: 'expire',
        amount: { numerator: 1n, denominator: 2n },
        transfers: ['chosen'],
        pace: scenarios.slow.changes.pace,
        last: null,
      },
    });
    expect(combine(['dispute', 'two_networks'])).toMatchObject({
      script: { transfers: ['chosen', 'other network'], last: 'dispute' },
    });
  });
});
