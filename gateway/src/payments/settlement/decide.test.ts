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
import { type Facts, nextDue, unusualOf } from './decide.ts';

describe.each(['unlinked', 'linked'] as const)('a payment that is %s', (status) => {
  const open = (...transfers: Transfer[]) => facts(status, null, transfers);

  test('waits until its deadline and is abandoned then, with nothing paid', () => {
    expect(verdict(open(), atDeadline - 1)).toBe('stays');
    expect(verdict(open(), atDeadline)).toBe('cancelled abandoned');
  });

  test('is pending as soon as any money is seen', () => {
    expect(verdict(open(seen(1)), 1)).toBe('pending');
    expect(verdict(open(seen(100)), 1)).toBe('pending');
    expect(verdict(open(final(99)), 1)).toBe('pending');
  });

  test('is completed at once when the full amount is final, in one transfer or several', () => {
    expect(verdict(open(final(100)), 1)).toBe('completed');
    expect(verdict(open(final(60), final(40)), 1)).toBe('completed');
  });

  test('takes no notice of a transfer that is gone', () => {
    expect(verdict(open(gone(100, 1)), 2)).toBe('stays');
    expect(verdict(open(gone(100, 1)), atDeadline)).toBe('cancelled abandoned');
  });
});

describe('a pending payment', () => {
  test('is completed when the full amount, or more, is final', () => {
    expect(verdict(pending(final(100)), 1)).toBe('completed');
    expect(verdict(pending(final(101)), 1)).toBe('completed');
    expect(verdict(pending(final(60), seen(40)), 1)).toBe('stays');
  });

  test('goes to appeal when less than the amount was seen by the deadline', () => {
    for (const part of [seen(99), final(99)]) {
      expect(verdict(pending(part), atDeadline - 1)).toBe('stays');
      expect(verdict(pending(part), atDeadline)).toBe('in-appeal part_paid');
    }
  });

  test('counts what was seen by the deadline as paid, however long finality takes', () => {
    expect(verdict(pending(seen(100)), atDeadline)).toBe('stays');
    expect(verdict(pending(seen(100, atDeadline)), atDeadline)).toBe('stays');
    expect(verdict(pending(seen(100)), afterLateEnd)).toBe('stays');
    expect(verdict(pending(final(100)), afterLateEnd)).toBe('completed');
  });

  test('does not wait for what was seen after the deadline', () => {
    expect(verdict(pending(seen(60), seen(40, atDeadline + 1)), atDeadline + 1)).toBe('in-appeal part_paid');
  });

  test('fails 30 minutes after its transfer fell out of the chain', () => {
    expect(verdict(pending(gone(100, minute)), atDeadline)).toBe('stays');
    expect(verdict(pending(gone(100, minute)), 31 * minute - 1)).toBe('stays');
    expect(verdict(pending(gone(100, minute)), 31 * minute)).toBe('failed reorg');
  });

  test('fails at its deadline when that is later than the 30 minutes', () => {
    const long = { ...pending(gone(100, minute)), deadline: at(2 * hour) };
    expect(verdict(long, 2 * hour - 1)).toBe('stays');
    expect(verdict(long, 2 * hour)).toBe('failed reorg');
  });

  test('counts the 30 minutes from the last loss', () => {
    const twice = pending(gone(50, minute), gone(50, 5 * minute));
    expect(verdict(twice, 35 * minute - 1)).toBe('stays');
    expect(verdict(twice, 35 * minute)).toBe('failed reorg');
  });

  test('does not wait for the return of what came after the deadline', () => {
    const late = { ...gone(40, hour), seenAt: at(atDeadline + 1) };
    expect(verdict(pending(final(60), late), hour)).toBe('in-appeal part_paid');
    expect(verdict(pending(final(60), late, final(40, hour)), hour)).toBe('in-appeal part_paid');
  });

  test('waits for the return of what came in the place of a loss', () => {
    const other = { ...gone(100, 30 * minute), seenAt: at(20 * minute) };
    expect(verdict(pending(other, gone(100, minute)), 60 * minute - 1)).toBe('stays');
    expect(verdict(pending(other, gone(100, minute)), 60 * minute)).toBe('failed reorg');
    expect(verdict(pending(other, gone(100, minute), final(100, 50 * minute)), hour)).toBe('completed');
  });

  test('is completed by a transfer that came back, or by another in its place', () => {
    expect(verdict(pending(final(100)), 20 * minute)).toBe('completed');
    expect(verdict(pending(gone(100, minute), final(100, 15 * minute)), 20 * minute)).toBe('completed');
  });

  test('goes to appeal, not to failed, when a part of the money stood through a loss', () => {
    expect(verdict(pending(gone(50, minute), final(50)), 31 * minute)).toBe('in-appeal part_paid');
  });
});

describe('an abandoned payment', () => {
  test('rests with nothing paid, or with what fell out again', () => {
    expect(verdict(abandoned(), afterLateEnd)).toBe('stays');
    expect(verdict(abandoned(gone(100, inLateWindow)), afterLateEnd)).toBe('stays');
  });

  test('is completed when the amount came inside the late window and is final', () => {
    expect(verdict(abandoned(seen(100, inLateWindow)), inLateWindow)).toBe('stays');
    expect(verdict(abandoned(final(100, inLateWindow)), inLateWindow)).toBe('completed');
    expect(verdict(abandoned(final(60, inLateWindow), final(40, atLateEnd)), atLateEnd)).toBe('completed');
  });

  test('waits for finality beyond the window when all was seen inside', () => {
    expect(verdict(abandoned(seen(100, inLateWindow)), afterLateEnd)).toBe('stays');
    expect(verdict(abandoned(final(100, inLateWindow)), afterLateEnd)).toBe('completed');
  });

  test('goes to appeal at the end of the window when what came does not cover it', () => {
    expect(verdict(abandoned(final(99, inLateWindow)), atLateEnd - 1)).toBe('stays');
    expect(verdict(abandoned(final(99, inLateWindow)), atLateEnd)).toBe('in-appeal late');
  });

  test('goes to appeal when the money, or the last of it, came after the window', () => {
    expect(verdict(abandoned(final(100, afterLateEnd)), afterLateEnd)).toBe('in-appeal late');
    expect(verdict(abandoned(final(99), final(1, afterLateEnd)), afterLateEnd)).toBe('in-appeal late');
  });
});

describe.each([
  ['cancelled', 'customer'],
  ['cancelled', 'merchant'],
  ['failed', 'simulated'],
  ['failed', 'reorg'],
] as const)('a payment that is %s (%s)', (status, reason) => {
  test('goes to appeal at once when money has arrived, be it the full amount', () => {
    for (const units of [1, 100]) {
      expect(verdict(facts(status, reason, [seen(units, 60)]), 60)).toBe('stays');
      expect(verdict(facts(status, reason, [final(units, 60)]), 60)).toBe('in-appeal paid_after_end');
    }
  });

  test('rests otherwise', () => {
    expect(verdict(facts(status, reason, []), afterLateEnd)).toBe('stays');
    expect(verdict(facts(status, reason, [gone(100, 60)]), afterLateEnd)).toBe('stays');
  });
});

test('neither money nor time moves a payment that is completed or in appeal', () => {
  expect(verdict(facts('completed', null, [final(100), final(100)]), afterLateEnd)).toBe('stays');
  expect(verdict(facts('completed', null, [gone(100, 60)]), afterLateEnd)).toBe('stays');
  expect(verdict(facts('in-appeal', 'part_paid', [final(100)]), afterLateEnd)).toBe('stays');
  expect(verdict(facts('in-appeal', 'disputed', [final(100)]), afterLateEnd)).toBe('stays');
});

test('a payment in appeal because of a reorg is completed as soon as it is covered again', () => {
  const reorged = (...transfers: Transfer[]) => facts('in-appeal', 'reorg', transfers);
  expect(verdict(reorged(gone(100, 60), seen(100, 61)), 62)).toBe('stays');
  expect(verdict(reorged(gone(100, 60), final(99, 61)), 62)).toBe('stays');
  expect(verdict(reorged(gone(100, 60), final(100, afterLateEnd)), afterLateEnd)).toBe(
    'completed covered_again',
  );
});

describe('less than a thousandth of the amount due', () => {
  const large = (given: Facts): Facts => ({ ...given, due: 100_000n, completing: 100_000n });

  test('moves no payment, whatever its status and however long it waits', () => {
    const dust = final(99, 60);
    for (const status of ['unlinked', 'linked'] as const) {
      expect(verdict(large(facts(status, null, [dust])), 61)).toBe('stays');
      expect(verdict(large(facts(status, null, [dust])), atDeadline)).toBe('cancelled abandoned');
    }
    expect(verdict(large(abandoned(dust)), afterLateEnd)).toBe('stays');
    expect(verdict(large(facts('cancelled', 'customer', [dust])), 61)).toBe('stays');
    expect(verdict(large(facts('failed', 'simulated', [dust])), 61)).toBe('stays');
    expect(verdict(large(pending(gone(50_000, minute), dust)), 31 * minute)).toBe('failed reorg');
  });

  test('is nothing that a person should look at', () => {
    expect(unusualOf(large(facts('unlinked', null, [final(99)])))).toEqual([]);
    expect(unusualOf(large(abandoned(final(99, inLateWindow))))).toEqual([]);
    expect(unusualOf(large(abandoned(final(100, inLateWindow))))).toEqual(['late', 'part_paid']);
  });

  test('counts from the moment at which all that came makes a thousandth, and with the rest', () => {
    expect(verdict(large(facts('linked', null, [final(99), seen(1)])), 61)).toBe('pending');
    expect(verdict(large(facts('linked', null, [final(99), final(99_901)])), 61)).toBe('completed');
    expect(verdict(large(abandoned(final(99), final(99_901, inLateWindow))), inLateWindow)).toBe('completed');
  });
});

describe('the next time to look', () => {
  const next = (given: Facts, seconds: number) => nextDue(given, at(seconds));

  test('is the deadline of a payment that is open or pending', () => {
    for (const status of ['unlinked', 'linked', 'pending'] as const) {
      expect(next(facts(status, null, [seen(1)]), 0)).toEqual(at(atDeadline));
    }
  });

  test('is the end of the 30 minutes after a loss once the deadline has passed', () => {
    expect(next(pending(gone(100, minute)), 2 * minute)).toEqual(at(atDeadline));
    expect(next(pending(gone(100, minute)), atDeadline)).toEqual(at(31 * minute));
  });

  test('is the end of the late window once money came for an abandoned payment', () => {
    expect(next(abandoned(), inLateWindow)).toBeNull();
    expect(next(abandoned(seen(1, inLateWindow)), inLateWindow)).toEqual(at(atLateEnd));
  });

  test('is never where only finality, or only a person, can still move the payment', () => {
    expect(next(pending(seen(100)), inLateWindow)).toBeNull();
    expect(next(facts('cancelled', 'customer', [seen(1)]), 0)).toBeNull();
    expect(next(facts('failed', 'reorg', []), 0)).toBeNull();
    expect(next(facts('completed', null, [final(100)]), 0)).toBeNull();
    expect(next(facts('in-appeal', 'part_paid', [final(50)]), 0)).toBeNull();
  });
});
