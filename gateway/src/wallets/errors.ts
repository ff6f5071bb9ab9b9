import { defineErrors } from '../kit/errors.ts';

export const walletErrors = defineErrors({
  username_required: { code: 6000, status: 400, message: 'username is required', retryable: false },
  user_not_found: { code: 6001, status: 404, message: 'User not found', retryable: false },
  backend_unreachable: { code: 6002, status: 502, message: 'Failed to reach the backend', retryable: true },
});
