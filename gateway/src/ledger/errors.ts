import { defineErrors } from '../kit/errors.ts';

export const ledgerErrors = defineErrors({
  insufficient_balance: {
    code: 3000,
    status: 403,
    message: 'Insufficient business balance',
    retryable: false,
  },
  audit_runs: {
    code: 3020,
    status: 409,
    message: 'An audit is running already: wait for its result',
    retryable: true,
  },
});
