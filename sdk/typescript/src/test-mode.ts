import type {
  ChaosInput,
  PayoutOutcome,
  SimulatedOutcome,
  SimulateInput,
  TestRateInput,
} from './api-test-mode.ts';
import type { CallOptions } from './exchange.ts';
import type { Call, WriteOptions } from './request.ts';

/** One outcome, several that combine, or either with an amount or a delay. */
type Play = SimulatedOutcome | SimulatedOutcome[] | SimulateInput;

/** The calls that only test mode has (contract.md#calls). Each throws FlorinError; 403 with a live key. */
export function testModeCalls(call: Call) {
  return {
    /**
     * Simulates an outcome of a test payment, by the code of a real transfer; returns the payment after it. Several
     * combine: `['underpaid', 'slow']`; with an amount or a delay: `{ outcome: 'split', delay_seconds: 30 }`.
     */
    simulate: (reference: string, outcome: Play, options: WriteOptions = {}) =>
      call('POST /test/payments/{payment_reference}/simulate', {
        path: [reference],
        body: toInput(outcome),
        ...options,
      }),

    /** What `simulate` would do, step by step, without doing it. */
    script: (reference: string, outcome: Play, options: CallOptions = {}) =>
      call('GET /test/payments/{payment_reference}/script', {
        path: [reference],
        query: toInput(outcome),
        ...options,
      }),

    /** The outcomes that can be simulated, and what each combines with. */
    scenarios: (options: CallOptions = {}) => call('GET /test/scenarios', options),

    payouts: {
      /** Simulates an outcome of a test payout; returns the payout after it. */
      simulate: (payout: string, outcome: PayoutOutcome, options: WriteOptions = {}) =>
        call('POST /test/payouts/{payout}/simulate', { path: [payout], body: { outcome }, ...options }),
    },

    /** Gives test money to the business. */
    topUp: (input: { asset: string; amount: string | number }, options: WriteOptions = {}) =>
      call('POST /test/top-ups', { body: input, ...options }),

    chaos: {
      /** The injected faults of an endpoint. */
      get: (endpointId: string, options: CallOptions = {}) =>
        call('GET /test/webhook-endpoints/{id}/chaos', { path: [endpointId], ...options }),

      /** Injects faults: deliveries to an endpoint are repeated, lost, held back or signed wrongly; `{}` ends it. */
      set: (endpointId: string, chaos: ChaosInput, options: WriteOptions = {}) =>
        call('PUT /test/webhook-endpoints/{id}/chaos', { path: [endpointId], body: chaos, ...options }),
    },

    checks: {
      /** Starts to check whether the receiver behind an endpoint keeps the rules; answers at once. */
      start: (endpointId: string, options: WriteOptions = {}) =>
        call('POST /test/webhook-endpoints/{id}/checks', { path: [endpointId], ...options }),

      /** The last ten, newest first. */
      list: (endpointId: string, options: CallOptions = {}) =>
        call('GET /test/webhook-endpoints/{id}/checks', { path: [endpointId], ...options }),

      /** The progress of a check, and its report once it is done. */
      get: (endpointId: string, checkId: string, options: CallOptions = {}) =>
        call('GET /test/webhook-endpoints/{id}/checks/{check}', { path: [endpointId, checkId], ...options }),
    },

    clock: {
      get: (options: CallOptions = {}) => call('GET /test/clock', options),

      /** Advances the clock; answers when everything due was done and each due delivery was tried once. */
      advance: (seconds: number, options: WriteOptions = {}) =>
        call('POST /test/clock/advance', { body: { seconds }, ...options }),

      /** Sets the clock back to the real time. */
      reset: (options: WriteOptions = {}) => call('POST /test/clock/reset', options),
    },

    rates: {
      /** Sets the test rate of a pair; `rate: null`: the built-in one again. */
      set: (input: TestRateInput, options: WriteOptions = {}) =>
        call('PUT /test/rates', { body: input, ...options }),
    },
  };
}

function toInput(play: Play): SimulateInput {
  return typeof play === 'string' || Array.isArray(play) ? { outcome: play } : play;
}
