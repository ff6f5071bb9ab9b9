import type { CallOptions } from './exchange.ts';
import type { Call } from './request.ts';

/** The call about the key itself (contract.md#keys). It throws FlorinError. */
export function keyCalls(call: Call) {
  return {
    /** What this key may do, what is left of its daily limits, and when it ends. */
    get: (options: CallOptions = {}) => call('GET /key', options),
  };
}
