import { defineErrors } from '../kit/errors.ts';

export const noticeErrors = defineErrors({
  notice_channel_missing: {
    code: 5030,
    status: 409,
    message: 'Nothing is sent there yet: choose something for it first, and link or allow it',
  },
  telegram_off: { code: 5031, status: 409, message: 'This installation has no Telegram bot' },
  device_limit: {
    code: 5032,
    status: 409,
    message: 'No more than {max} devices are allowed: remove one first',
  },
});
