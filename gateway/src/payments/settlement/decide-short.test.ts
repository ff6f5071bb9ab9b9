import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  abandoned,
  afterLateEnd,
  at,
  atDeadline,
  atLateEnd,
  facts,
  final,
  gone,
  hour,
  inLateWindow,
  minute,
  pending,
  seen,
  type Transfer,
  verdict,
} from '../../../test/settlement/decide-facts.ts';
import { decide, type Facts, unusualOf } from './decide.ts';

describe('a pending payment of which a little may be missing', () => {
  const short = (tolerance: bigint, ...transfers: Transfer[]): Facts => ({
    ...pending(...transfers),
    tolerance,
  });

  test('completes at its deadline with what came, not before, and not where more is missing', () => {
    expect(verdict(short(5n, final(95)), atDeadline - 1)).toBe('stays');
    expect(decide(short(5n, final(95)), at(atDeadline))).toEqual({
      ...{ to: 'completed', reason: 'short', paid: 95n },
    });
    expect(verdict(short(5n, final(94)), atDeadline)).toBe('in-appeal part_paid');
    expect(verdict(short(0n, final(99)), atDeadline)).toBe('in-appeal part_paid');
  });

  test('completes in full where all came, however much may be missing', () => {
    expect(decide(short(5n, final(95), final(5)), at(1))).toEqual({ to: 'completed', reason: null });
    expect(verdict(short(5n, final(95), seen(5)), atDeadline)).toBe('stays');
  });

  test('waits for the finality of all that came by its deadline', () => {
    expect(verdict(short(5n, final(90), seen(5)), atDeadline)).toBe('stays');
    expect(verdict(short(5n, final(95), seen(1)), afterLateEnd)).toBe('stays');
    expect(verdict(short(5n, final(90), final(6)), afterLateEnd)).toBe('completed short');
  });

  test('is not completed by what came after its deadline, nor waits for it', () => {
    expect(verdict(short(5n, final(94), final(5, atDeadline + 1)), hour)).toBe('in-appeal part_paid');
    expect(decide(short(5n, final(95), seen(5, atDeadline + 1)), at(hour))?.paid).toBe(95n);
    expect(decide(short(5n, final(95), final(5, atDeadline + 1)), at(hour))?.paid).toBe(95n);
  });

  test('waits for what left its chain and may be back', () => {
    expect(verdict(short(5n, final(95), gone(5, minute)), atDeadline)).toBe('stays');
    expect(verdict(short(5n, final(95), gone(5, minute)), 31 * minute)).toBe('completed short');
    expect(verdict(short(5n, final(95), gone(5, minute), final(5)), 31 * minute)).toBe('completed');
  });

  test('was paid late: then all that is due has to come', () => {
    expect(verdict({ ...abandoned(final(99, inLateWindow)), tolerance: 5n }, atLateEnd)).toBe(
      'in-appeal late',
    );
  });

  test('and completed so is covered again by what it was completed with', () => {
    const reorged = (...transfers: Transfer[]): Facts => ({
      ...{ ...facts('in-appeal', 'reorg', transfers), tolerance: 5n, completing: 96n },
    });
    expect(verdict(reorged(final(95)), hour)).toBe('stays');
    expect(verdict(reorged(final(96)), hour)).toBe('completed covered_again');
    expect(unusualOf(reorged(final(96)))).toEqual(['part_paid']);
    expect(unusualOf(reorged(final(96), final(4, hour)))).toEqual(['late', 'overpaid']);
  });

  test('whatever came and whenever it is asked, it completes short only within the bounds, with all of it final', () => {
    const transfer: fc.Arbitrary<Transfer> = fc.record({
      units: fc.bigInt(1n, 120n),
      state: fc.constantFrom('seen', 'final', 'final', 'gone'),
      seenAt: fc.integer({ min: 0, max: 2 * atDeadline }).map(at),
      goneAt: fc.integer({ min: 0, max: 2 * atDeadline }).map(at),
    });
    const life = fc.record({
      tolerance: fc.bigInt(0n, 5n),
      transfers: fc.array(transfer, { maxLength: 5 }),
      seconds: fc.integer({ min: 0, max: 3 * hour }),
    });
    fc.assert(
      fc.property(life, ({ tolerance, transfers, seconds }) => {
        const move = decide(short(tolerance, ...transfers), at(seconds));
        if (move?.reason !== 'short') return;
        const paid = move.paid ?? 0n;
        expect(100n - paid).toBeGreaterThan(0n);
        expect(100n - paid).toBeLessThanOrEqual(tolerance);
        expect(seconds).toBeGreaterThanOrEqual(atDeadline);
        const inTime = transfers.filter(({ state, seenAt }) => state !== 'gone' && seenAt <= at(atDeadline));
        expect(inTime.filter(({ state }) => state === 'seen')).toEqual([]);
        expect(paid).toBeGreaterThanOrEqual(inTime.reduce((sum, { units }) => sum + units, 0n));
      }),
    );
  });
});
