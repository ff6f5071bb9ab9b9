import { defineErrors } from '../../kit/errors.ts';

export const directErrors = defineErrors({
  not_offered: {
    code: 7090,
    status: 409,
    message: 'Direct settlement is not offered for {asset} here',
  },
  own_address_taken: {
    code: 7091,
    status: 409,
    message: 'Another integration settles, or has settled, to this address: use one of its own',
  },
  not_signed: {
    code: 7092,
    status: 400,
    message: 'The signature is not one of this address, or not of this text',
  },
  signature_unread: {
    code: 7093,
    status: 503,
    message: 'The contract at this address cannot be asked now. Try again in a minute',
    retryable: true,
  },
});
