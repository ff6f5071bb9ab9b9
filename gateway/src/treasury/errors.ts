import { defineErrors } from '../kit/errors.ts';

export const treasuryErrors = defineErrors({
  move_decided: { code: 7040, status: 409, message: 'Somebody has decided whose money this was already' },
  restore_open: {
    code: 7042,
    status: 409,
    message: 'Payouts cannot go on after the restore yet: {why}',
    retryable: true,
  },
  user_short: {
    code: 7041,
    status: 409,
    message: 'The user has less than that: note it as your own, and claim it from them',
  },
});
