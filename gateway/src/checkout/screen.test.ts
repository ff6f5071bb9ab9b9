import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../test/browser/checkout-fixtures.ts';
import { type ScreenName, screenOf } from './screen.ts';

const SCREENS: Record<PaymentName, ScreenName> = {
  waiting: 'waiting',
  'waiting-test': 'waiting',
  'waiting-fee': 'waiting',
  'waiting-without-method': 'waiting',
  linked: 'linked',
  'linked-test': 'linked',
  'linked-demo': 'linked',
  'linked-wrong-token': 'linked',
  'linked-memo': 'linked',
  'linked-pi': 'linked',
  'linked-pi-demo': 'linked',
  'part-paid-pi': 'part-paid',
  'seen-pi': 'seen',
  'overpaid-pi': 'overpaid',
  wallet: 'wallet',
  'wallet-test': 'wallet',
  seen: 'seen',
  'part-paid': 'part-paid',
  'part-paid-by-itself': 'part-paid',
  'part-paid-without-network': 'part-paid',
  'part-gone': 'part-paid',
  'linked-without-network': 'linked',
  'part-paid-test': 'part-paid',
  'part-paid-fee': 'part-paid',
  'part-paid-short': 'part-paid',
  overpaid: 'overpaid',
  late: 'late',
  'late-overpaid': 'late',
  'completed-late': 'completed',
  'late-part': 'late',
  expired: 'expired',
  unread: 'unread',
  'unread-part': 'unread',
  failed: 'failed',
  'failed-dropped': 'failed',
  cancelled: 'cancelled',
  'cancelled-by-merchant': 'cancelled',
  returned: 'cancelled',
  'in-appeal': 'in-appeal',
  'in-appeal-disputed': 'in-appeal',
  'in-appeal-answered': 'in-appeal',
  completed: 'completed',
  'completed-accepted': 'completed',
  'completed-short': 'completed',
  'completed-short-overpaid': 'completed',
  'completed-wrong-token': 'completed',
  'completed-overpaid': 'completed',
  'completed-owed': 'completed',
  'completed-owed-little': 'completed',
  'completed-owed-much': 'completed',
  'completed-refunds': 'completed',
  'priced-open': 'waiting',
  'priced-open-fee': 'waiting',
  'priced-all': 'waiting',
  'priced-all-test': 'waiting',
  'priced-lost-rate': 'waiting',
  'priced-discount-open': 'waiting',
  'priced-no-rate': 'waiting',
  'priced-linked': 'linked',
  'priced-discount': 'linked',
  'priced-surcharge': 'linked',
  'priced-ending': 'linked',
  'priced-wrong-token': 'linked',
  'priced-testnet': 'linked',
  'priced-linked-fee': 'linked',
  'priced-yen': 'linked',
  'priced-dinar': 'linked',
  'priced-long': 'linked',
  'priced-part-paid': 'part-paid',
  'priced-fee-kept': 'part-paid',
  'priced-short': 'part-paid',
  'priced-enough': 'part-paid',
  'priced-expired': 'expired',
  'priced-late': 'in-appeal',
  'priced-late-pi': 'in-appeal',
  'priced-completed': 'completed',
  'priced-discount-paid': 'completed',
  'priced-owed': 'completed',
  'priced-refunds': 'completed',
};

test.each(Object.entries(SCREENS) as [PaymentName, ScreenName][])(
  'the payment %s shows %s',
  (name, screen) => {
    expect(screenOf(PAYMENTS[name], NOW)).toBe(screen);
  },
);

describe('at the deadline', () => {
  test.each([
    ['waiting', 'expired'],
    ['linked', 'expired'],
    ['wallet', 'expired'],
    ['part-paid', 'in-appeal'],
    ['part-paid-short', 'seen'],
    ['seen', 'seen'],
  ] as const)('%s turns to %s, even before the expiry is recorded', (name, screen) => {
    expect(screenOf(PAYMENTS[name], PAYMENTS[name].deadline)).toBe(screen);
  });
});

describe('once all of the money came', () => {
  const paid = { amountReceived: '25.5', amountMissing: '0' };

  test.each(['waiting', 'linked', 'wallet', 'seen', 'part-paid'] as const)(
    '%s asks for none, whatever its status is as yet',
    (name) => {
      expect(screenOf({ ...PAYMENTS[name], ...paid }, NOW)).toBe('seen');
      expect(screenOf({ ...PAYMENTS[name], ...paid, overpayment: '1' }, NOW)).toBe('overpaid');
    },
  );
});
