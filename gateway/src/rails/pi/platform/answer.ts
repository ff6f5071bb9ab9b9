import type { PlatformState } from './store.ts';

/** Why the customer's payment does not continue: a key of the page's messages. */
export type PiMessageKey =
  | 'pi_unknown'
  | 'pi_not_payable'
  | 'pi_mismatch'
  | 'pi_other_open'
  | 'pi_other_paid'
  | 'pi_refused'
  | 'pi_wrong_transaction'
  | 'pi_not_reached';

/**
 * The answer to a page in the Pi Browser. `pending`: nothing is decided yet, and the SDK asks again by itself;
 * with `pi_not_reached` because Pi or its network does not answer. `refused`: this platform payment will not pay.
 */
export type PiAnswer = {
  status: 'approved' | 'completed' | 'cancelled' | 'pending' | 'refused';
  message_key?: PiMessageKey;
};

export const refusedFor = (message_key: PiMessageKey): PiAnswer => ({ status: 'refused', message_key });

const statusOf = {
  created: 'pending',
  approved: 'approved',
  paid: 'pending',
  completed: 'completed',
  cancelled: 'cancelled',
} as const;

export function answerOf(state: PlatformState): PiAnswer {
  return state === 'refused' ? refusedFor('pi_refused') : { status: statusOf[state] };
}
