import { after } from '../../src/kit/clock.ts';
import { decide, type Facts } from '../../src/payments/settlement/decide.ts';

// Payments of which tests ask what `decide` says, with moments in seconds since they were created.

export const minute = 60;
export const hour = 3600;
export const atDeadline = 10 * minute;
export const inLateWindow = atDeadline + hour;
export const atLateEnd = atDeadline + 24 * hour;
export const afterLateEnd = atLateEnd + 1;

/** The moment that many seconds after the payment was created. */
export const at = (seconds: number) => after(new Date('2026-03-01T12:00:00Z'), seconds);

export type Transfer = Facts['transfers'][number];

export const seen = (units: number, seconds = 0): Transfer => ({
  units: BigInt(units),
  state: 'seen',
  seenAt: at(seconds),
  goneAt: null,
});
export const final = (units: number, seconds = 0): Transfer => ({ ...seen(units, seconds), state: 'final' });
export const gone = (units: number, seconds: number): Transfer => ({
  ...seen(units),
  state: 'gone',
  goneAt: at(seconds),
});

/** A payment of 100 units whose deadline is after ten minutes. */
export const facts = (status: Facts['status'], reason: Facts['reason'], transfers: Transfer[]): Facts => ({
  status,
  reason,
  due: 100n,
  tolerance: 0n,
  completing: 100n,
  deadline: at(atDeadline),
  lateUntil: reason === 'abandoned' ? at(atLateEnd) : null,
  transfers,
});
export const pending = (...transfers: Transfer[]) => facts('pending', null, transfers);
export const abandoned = (...transfers: Transfer[]) => facts('cancelled', 'abandoned', transfers);

/** Status and reason of the move at that second, or `stays`. */
export function verdict(given: Facts, seconds: number): string {
  const move = decide(given, at(seconds));
  if (!move) return 'stays';
  return move.reason ? `${move.to} ${move.reason}` : move.to;
}
