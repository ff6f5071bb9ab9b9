import { describe, expect, test } from 'vitest';
import { carryAllOn, usePayingShop } from '../../../test/remote-wallets/paying-shop.ts';
import { ledgerOf, pass, statusOf, write } from '../../../test/support/payment-fixtures.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import { cancelPayment } from '../../payments/settlement/act.ts';
import { attemptShown } from './attempts.ts';
import { carryOn } from './carry-on.ts';

const site = usePayingShop();

describe('an answer that never came', () => {
  test.each([
    ['silent', []],
    ['done, then dropped', ['authorized']],
    ['overtaken', []],
  ] as const)(
    'to what was to be set aside (%s): nothing is taken, and it is released',
    async (fault, book) => {
      const payment = await site.shop.create();
      site.backend.faultOf = (call) => (call === 'authorize' ? fault : null);
      expect(await site.payHastily(payment, 'authorize')).toBe('unanswered');
      expect(site.states()).toEqual(book);
      site.backend.faultOf = () => null;
      await carryOn(site.deps);
      expect([site.states(), site.spent()]).toEqual([['voided'], 0n]);
      expect(await site.pay(payment)).toBe('paid');
      expect(site.spent()).toBe(10n);
    },
  );

  test('of a backend that cannot be reached leaves nothing open', async () => {
    await site.backend.close();
    const payment = await site.shop.create();
    expect(await site.pay(payment)).toBe('unanswered');
    expect(await carryOn(site.deps)).toBe(0);
  });

  test.each(['silent', 'done, then garbage', 'error'] as const)(
    'to what was to be taken (%s): the payment waits, beyond its deadline and a cancellation, until it is known',
    async (fault) => {
      const payment = await site.shop.create();
      site.backend.faultOf = (call) => (call === 'capture' ? fault : null);
      expect(await site.payHastily(payment, 'capture')).toBe('checking');
      expect(await attemptShown(site.db, payment.id)).toBe('capturing');
      await expect(
        write(site.shop, (tx) => cancelPayment(tx, site.deps, payment.id, 'customer')),
      ).rejects.toMatchObject({
        row: paymentErrors.not_cancellable,
      });
      await pass(site.shop, 3_600);
      await carryOn(site.deps);
      expect(await statusOf(site.shop, payment)).toBe('pending');
      site.backend.faultOf = () => null;
      await carryAllOn(site);
      expect(await statusOf(site.shop, payment)).toBe('completed');
      expect([site.states(), site.spent()]).toEqual([['captured'], 10n]);
    },
  );

  test('is looked for later and later', async () => {
    site.backend.faultOf = (call) => (call === 'capture' ? 'error' : null);
    await site.pay(await site.shop.create());
    let waited = 0;
    const pauses: number[] = [];
    for (let seconds = 0; seconds < 700; seconds += 5) {
      site.shop.clock.advance(5);
      waited += 5;
      if ((await carryOn(site.deps)) === 0) continue;
      pauses.push(waited);
      waited = 0;
    }
    expect(pauses).toEqual([10, 5, 10, 20, 40, 80, 160, 300]);
  });
});

describe('what was set aside and is not there when it is to be taken', () => {
  test('pays nothing: the payment fails later, and its page says so', async () => {
    const payment = await site.shop.create();
    site.backend.faultOf = (call) => {
      if (call === 'capture') for (const each of site.backend.book.values()) each.state = 'voided';
      return null;
    };
    expect(await site.pay(payment)).toBe('checking');
    expect(await attemptShown(site.db, payment.id)).toBe('lost');
    await pass(site.shop, 1_900);
    expect(await statusOf(site.shop, payment)).toBe('failed reorg');
    expect(await ledgerOf(site.db, payment)).toEqual({});
  });
});
