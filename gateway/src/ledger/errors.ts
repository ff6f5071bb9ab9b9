import { defineErrors } from '../kit/errors.ts';

export const ledgerErrors = defineErrors({
  insufficient_balance: {
    code: 3000,
    status: 403,
    message: 'Insufficient business balance',
    retryable: false,
  },
});
