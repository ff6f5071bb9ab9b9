import { defineErrors } from '../kit/errors.ts';

export const ledgerErrors = defineErrors({
  amount_not_positive: { code: 4000, status: 400, message: 'amount must be a positive number' },
  amount_decimals: { code: 4001, status: 400, message: 'amount has too many decimals for {currency}' },
  amount_too_large: { code: 4002, status: 400, message: 'amount is too large' },
  insufficient_balance: { code: 3000, status: 403, message: 'Insufficient business balance' },
  audit_runs: {
    code: 3020,
    status: 409,
    message: 'An audit is running already: wait for its result',
    retryable: true,
  },
});
