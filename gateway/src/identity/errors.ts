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
  not_signed_in: { code: 2010, status: 401, message: 'Sign in first', retryable: false },
  role_may_not: { code: 2011, status: 403, message: 'Your role may not {permission}', retryable: false },
  operators_only: { code: 2012, status: 403, message: 'Only operators may do this', retryable: false },
  fresh_sign_in: { code: 2013, status: 403, message: 'Confirm that it is you', retryable: true },
  email_not_verified: {
    code: 2014,
    status: 403,
    message: 'Confirm your e-mail address first',
    retryable: false,
  },
  merchant_suspended: {
    code: 2080,
    status: 409,
    message: 'This business is suspended already',
    retryable: false,
  },
  merchant_not_suspended: {
    code: 2081,
    status: 409,
    message: 'This business is not suspended',
    retryable: false,
  },
  operator_last: {
    code: 2082,
    status: 409,
    message: 'At least one operator stays: make somebody else one first',
    retryable: false,
  },
});
