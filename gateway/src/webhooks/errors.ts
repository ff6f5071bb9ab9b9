import { defineErrors } from '../kit/errors.ts';

export const webhookErrors = defineErrors({
  endpoint_limit: { code: 5000, status: 409, message: 'No more than {max} webhook endpoints are allowed' },
  replay_count_changed: {
    code: 5001,
    status: 409,
    message: 'Other deliveries have failed or were sent meanwhile: look at the number again',
  },
  endpoint_off: { code: 5003, status: 409, message: 'The endpoint is turned off: activate it first' },
  endpoint_paused: { code: 5011, status: 409, message: 'The endpoint is paused: activate it first' },
  // 5002 was a limit of replays, which was removed.
  replay_running: {
    code: 5004,
    status: 409,
    message: 'A replay of this endpoint is under way: wait until it is done',
    retryable: true,
  },
  check_running: {
    code: 5009,
    status: 409,
    message: 'A check of this endpoint is running: wait until it ends, a minute at most',
    retryable: true,
  },
  too_many_secrets: {
    code: 5010,
    status: 409,
    message: 'Five secrets sign this endpoint’s webhooks already: end the overlap, or roll without one',
  },
});
