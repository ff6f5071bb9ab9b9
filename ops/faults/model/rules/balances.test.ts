import { expect, test } from 'vitest';
import { makeUp } from '../made-up.ts';
import { unsureMs } from '../standing.ts';
import { decimalOf, fineOf } from '../units.ts';
import { businessChanges, judgePurses } from './balances.ts';

// An order of 10 that was paid twice, and a refund of 10.

const who = 'merchant-1 live';

/** What the model says where the second payment came so long after the refund, and the business has so much less. */
function said({ afterMs, less }: { afterMs: number; less: string }): string[] {
  const made = makeUp({ orders: [{ cents: 1_000, parts: [100, 100] }], payouts: [] });
  const { journal, reading, before } = made;
  const [, second] = reading.came;
  const refundedMs = second!.atMs - afterMs;
  reading.payments.get('R1-1-0')!.refunds.push({
    ...{ id: 'one', status: 'completed', asset: 'usdc-bep20', amount: '10', to: '0x1' },
    created_at: new Date(refundedMs).toISOString(),
  });
  const has = reading.balances.get(who)!.get('usdc-bep20')!.available - fineOf(less);
  const after = new Map([[who, new Map([['usdc-bep20', { available: has, held: 0n }]])]]);
  return judgePurses(before.balances, after, businessChanges(journal, reading)).map(({ kind }) => kind);
}

test('a refund that was made after too much had come takes nothing of the business', () => {
  const afterMs = -2 * unsureMs;
  expect(said({ afterMs, less: '0' })).toEqual([]);
  for (const less of ['10', '0.000001']) expect(said({ afterMs, less })).toEqual(['lost']);
});

test('one that was made before is the business’s, and what is too much is owed to the customer besides', () => {
  const afterMs = 2 * unsureMs;
  expect(said({ afterMs, less: '10' })).toEqual([]);
  expect(said({ afterMs, less: '0' })).toEqual(['doubled']);
  expect(said({ afterMs, less: decimalOf(fineOf('10') + 1n) })).toEqual(['lost']);
});

test('where the two moments cannot be told apart it may be either, and nothing beyond', () => {
  for (const less of ['0', '10']) expect(said({ afterMs: 0, less })).toEqual([]);
  expect(said({ afterMs: 0, less: '10.000001' })).toEqual(['lost']);
  expect(said({ afterMs: 0, less: '-0.000001' })).toEqual(['doubled']);
});
