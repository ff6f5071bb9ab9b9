import { defineErrors } from '../kit/errors.ts';

export const walletErrors = defineErrors({
  username_required: { code: 6000, status: 400, message: 'username is required', retryable: false },
  user_not_found: { code: 6001, status: 404, message: 'User not found', retryable: false },
  username_invalid: {
    code: 6003,
    status: 400,
    message: 'A username has 3 to 32 of the characters a to z, A to Z, 0 to 9, _ . and -',
    retryable: false,
  },
  username_taken: {
    code: 6004,
    status: 409,
    message: 'There is a user with this name already, or with one that looks like it',
    retryable: false,
  },
  sign_up_closed: { code: 6005, status: 403, message: 'Nobody can sign up here', retryable: false },
  invitation_needed: {
    code: 6006,
    status: 400,
    message: 'Signing up needs an invitation',
    retryable: false,
  },
  invitation_used: {
    code: 6007,
    status: 400,
    message: 'This invitation is not known, was used or is too old',
    retryable: false,
  },
  backend_unreachable: { code: 6002, status: 502, message: 'Failed to reach the backend', retryable: true },
  balance_short: { code: 6010, status: 403, message: 'Insufficient wallet balance', retryable: false },
  wallet_frozen: { code: 6011, status: 403, message: 'This wallet is frozen', retryable: false },
  receiver_frozen: {
    code: 6012,
    status: 403,
    message: '{username} cannot take money now',
    retryable: false,
  },
  sent_to_oneself: { code: 6013, status: 400, message: 'to is your own user name', retryable: false },
  wallet_limit: {
    code: 6014,
    status: 403,
    message: 'You may {action} {limit} {asset} a day; {left} is left',
    retryable: true,
  },
  second_factor_required: {
    code: 6015,
    status: 403,
    message: 'A second factor is required',
    retryable: false,
  },
  address_book_full: {
    code: 6016,
    status: 409,
    message: 'The address book is full: remove an address that you no longer need',
    retryable: false,
  },
  network_unread: {
    code: 6017,
    status: 409,
    message: 'There are no addresses on {network} now: it has not been read yet',
    retryable: true,
  },
  pay_in_wallet: {
    code: 6018,
    status: 403,
    message: 'This payment has to be paid in the wallet itself',
    retryable: false,
  },
});
