import type { SimulatedOutcome, SimulateInput } from './api-test-mode.ts';
import type { CallOptions } from './exchange.ts';
import type { Call, WriteOptions } from './request.ts';

/** The calls that only test mode has (contract.md 7). Each throws FlorinError; 403 with a live key. */
export function testModeCalls(call: Call) {
  return {
    /** Plays an outcome on a test payment, through the code of a real transfer; gives the payment after it. */
    simulate: (reference: string, outcome: SimulatedOutcome | SimulateInput, options: WriteOptions = {}) =>
      call('POST /test/payments/{payment_reference}/simulate', {
        path: [reference],
        body: typeof outcome === 'string' ? { outcome } : outcome,
        ...options,
      }),

    clock: {
      get: (options: CallOptions = {}) => call('GET /test/clock', options),

      /** Moves the clock on; answers when what became due was done and each due delivery was tried once. */
      advance: (seconds: number, options: WriteOptions = {}) =>
        call('POST /test/clock/advance', { body: { seconds }, ...options }),

      /** Brings the clock back to real time. */
      reset: (options: WriteOptions = {}) => call('POST /test/clock/reset', options),
    },
  };
}
