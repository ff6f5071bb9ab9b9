import { defineErrors } from '../kit/errors.ts';

export const rateErrors = defineErrors({
  price_currency_unsupported: {
    code: 8000,
    status: 400,
    message: 'price_currency is not supported',
  },
});
