import { defineErrors } from '../kit/errors.ts';

export const webhookErrors = defineErrors({
  endpoint_limit: {
    code: 5000,
    status: 409,
    message: 'No more than {max} webhook endpoints are allowed',
    retryable: false,
  },
});
