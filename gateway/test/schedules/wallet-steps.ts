import fc from 'fast-check';
import type { SendReport } from '../../src/rails/rail.ts';

// What may happen to three wallets, their deposits and their withdrawals.

export const coin = 1_000_000n;

const who = fc.nat(2);
const which = fc.nat(3);
const coins = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map((whole) => whole * coin);
const amount = coins(1n, 5n);
const crash = fc.constantFrom(false, false, false, true);
const twice = fc.boolean();
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ deposit: who, units: coins(3n, 12n), twice, crash }) },
  { weight: 6, arbitrary: fc.record({ turn: which, twice, crash }) },
  // A rival pays the same payment at the same time; it may be the same person, who presses twice.
  { weight: 2, arbitrary: fc.record({ pay: who, rival: fc.option(who, { freq: 2 }), units: amount, crash }) },
  { weight: 4, arbitrary: fc.record({ send: who, to: who, units: amount, twice, crash }) },
  { weight: 7, arbitrary: fc.record({ withdraw: who, units: amount, twice, crash }) },
  // Null: by its owner.
  {
    weight: 4,
    arbitrary: fc.record({ cancel: which, by: fc.option(who, { freq: 2 }), crash }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      report: which,
      state: fc.constantFrom<SendReport['state']>('sending', 'sent', 'waiting', 'failed', 'undone'),
      ...{ twice, crash },
    }),
  },
  { weight: 1, arbitrary: fc.record({ fund: who, units: amount }) },
  { weight: 1, arbitrary: fc.record({ freeze: who }) },
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
/** Steps of one group happen at once. */
const group = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(step) },
  { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 4 }) },
);

/** What a rail did with an order, and what it may report next. */
export const nextOrder: Record<string, Partial<Record<SendReport['state'], string>>> = {
  queued: { waiting: 'queued', sending: 'signed', sent: 'sent', failed: 'ended' },
  signed: { sending: 'signed', waiting: 'queued', sent: 'sent', failed: 'ended' },
  sent: { sent: 'sent', undone: 'signed' },
};

export type TurnOf = { twice: boolean; crash: boolean };

/** Of the steps of a group that are about one deposit, withdrawal or freeze, only the first is made. */
export function thing(each: Step): string | Step {
  if ('turn' in each) return `deposit ${each.turn}`;
  if ('cancel' in each) return `withdrawal ${each.cancel}`;
  if ('report' in each) return `withdrawal ${each.report}`;
  // Two at once have no last one that the model could know.
  if ('freeze' in each) return `freeze ${each.freeze}`;
  return each;
}

export function actorOf(each: Step): number {
  if ('pay' in each) return each.pay;
  if ('send' in each) return each.send;
  return 'withdraw' in each ? each.withdraw : 0;
}

/** Groups of steps, one after another. */
export const schedules = fc.array(group, { minLength: 40, maxLength: 80, size: 'max' });
