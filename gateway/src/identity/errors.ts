import { defineErrors } from '../kit/errors.ts';

export const identityErrors = defineErrors({
  secret_key_missing: {
    code: 2000,
    status: 401,
    message: 'Unauthorized: Missing secret key',
    retryable: false,
  },
  secret_key_invalid: {
    code: 2001,
    status: 401,
    message: 'Unauthorized: Invalid secret key',
    retryable: false,
  },
  authorization: {
    code: 2002,
    status: 401,
    message: 'Missing or invalid Authorization header',
    retryable: false,
  },
  action_not_allowed: { code: 2003, status: 403, message: 'This key may not {action}', retryable: false },
  address_not_allowed: {
    code: 2004,
    status: 403,
    message: 'Address {ip} is not allowed for this key',
    retryable: false,
  },
  not_approved: { code: 2005, status: 403, message: 'Integration is not yet approved', retryable: false },
  test_mode_only: { code: 2006, status: 403, message: 'Only available in test mode', retryable: false },
});
