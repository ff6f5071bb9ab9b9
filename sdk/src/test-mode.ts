import type { Request, WriteOptions } from './request.ts';
import type { Payment, SimulatedOutcome, TestClock } from './types.ts';

/** The calls that only test mode has (contract.md 7). Each throws FlorinError; 403 with a live key. */
export function testModeCalls(request: Request) {
  return {
    /** Plays an outcome on a test payment, through the code of a real transfer; gives the payment after it. */
    simulate: (reference: string, outcome: SimulatedOutcome, options: WriteOptions = {}) =>
      request<Payment>({
        method: 'POST',
        path: `/test/payments/${encodeURIComponent(reference)}/simulate`,
        body: { outcome },
        ...options,
      }),

    clock: {
      get: () => request<TestClock>({ method: 'GET', path: '/test/clock' }),
      /** Moves the clock on; answers when what became due was done and each due delivery was tried once. */
      advance: (seconds: number, options: WriteOptions = {}) =>
        request<TestClock>({ method: 'POST', path: '/test/clock/advance', body: { seconds }, ...options }),
      /** Brings the clock back to real time. */
      reset: (options: WriteOptions = {}) =>
        request<TestClock>({ method: 'POST', path: '/test/clock/reset', ...options }),
    },
  };
}
