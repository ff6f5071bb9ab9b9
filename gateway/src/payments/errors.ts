import { defineErrors } from '../kit/errors.ts';

export const paymentErrors = defineErrors({
  amount_not_positive: {
    code: 4000,
    status: 400,
    message: 'amount must be a positive number',
    retryable: false,
  },
  amount_decimals: {
    code: 4001,
    status: 400,
    message: 'amount has too many decimals for {currency}',
    retryable: false,
  },
  amount_too_large: { code: 4002, status: 400, message: 'amount is too large', retryable: false },
  amount_below_minimum: {
    code: 4003,
    status: 400,
    message: 'amount is below the minimum of {min} USD for {currency}',
    retryable: false,
  },
  currency_required: { code: 4004, status: 400, message: 'Currency is required', retryable: false },
  currency_unsupported: { code: 4005, status: 400, message: 'Currency not supported', retryable: false },
  type_required: { code: 4006, status: 400, message: 'Payment type is required', retryable: false },
  type_unsupported: { code: 4007, status: 400, message: 'Payment type not supported', retryable: false },
  info_not_found: { code: 4008, status: 404, message: 'Payment information not found', retryable: false },
  reference_exists: {
    code: 4009,
    status: 409,
    message: 'payment_reference already exists',
    retryable: false,
  },
  not_cancellable: {
    code: 4010,
    status: 409,
    message: 'Payment can no longer be cancelled',
    retryable: false,
  },
  not_possible: {
    code: 4011,
    status: 409,
    message: 'Not possible while the payment is {status}',
    retryable: false,
  },
  too_many_exports: {
    code: 4012,
    status: 429,
    message: 'Too many exports are under way',
    retryable: true,
  },
  too_many_claims: {
    code: 4013,
    status: 409,
    message: 'This payment has {most} claims already',
    retryable: false,
  },
  appeal_closed: { code: 4030, status: 409, message: 'This appeal is closed already', retryable: false },
  appeal_decision: {
    code: 4031,
    status: 409,
    message: 'Not possible for an appeal whose reason is {reason}',
    retryable: false,
  },
  appeal_not_final: {
    code: 4032,
    status: 409,
    message: 'Some of the money is not final yet',
    retryable: true,
  },
  appeal_empty: {
    code: 4033,
    status: 409,
    message: 'No money has come that could be accepted',
    retryable: false,
  },
  appeal_unanswered: {
    code: 4034,
    status: 409,
    message: 'Wait for an answer before you write again',
    retryable: false,
  },
  currency_last: {
    code: 4060,
    status: 409,
    message: 'At least one currency stays offered',
    retryable: false,
  },
});
