import { beforeEach, describe, expect, test } from 'vitest';
import { carryAllOn, usePayingShop } from '../../../test/remote-wallets/paying-shop.ts';
import {
  eventTypesOf,
  ledgerOf,
  pass,
  report,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { outsideTotals } from '../../ledger/totals.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import type { Payment } from '../../payments/payment/payment.ts';
import { cancelPayment } from '../../payments/settlement/act.ts';
import { walletErrors } from '../errors.ts';
import { attemptShown } from './attempts.ts';
import { carryOn } from './carry-on.ts';
import { captureOrRelease } from './pay.ts';

const site = usePayingShop();
const notPossible = { row: paymentErrors.not_possible };

describe('a payment', () => {
  test('is set aside, taken, settled and reported, and the backend owes what was taken', async () => {
    const before =
      (await outsideTotals(site.db, 'test')).find(({ owner }) => owner === 'wallets')?.units ?? 0n;
    const payment = await site.shop.create();
    expect(await site.pay(payment)).toBe('paid');
    expect(await statusOf(site.shop, payment)).toBe('completed');
    expect(await ledgerOf(site.db, payment)).toEqual({
      external: -10_000_000n,
      business: 9_900_000n,
      fees: 100_000n,
    });
    expect(await eventTypesOf(site.db, payment)).toEqual(['linked', 'pending', 'completed']);
    expect([site.states(), site.spent()]).toEqual([['captured'], 10n]);
    const after = (await outsideTotals(site.db, 'test')).find(({ owner }) => owner === 'wallets')!.units;
    expect(after - before).toBe(-10_000_000n);
    expect(site.backend.asked).toEqual([
      {
        username: 'jane',
        password: 'secret',
        mode: 'test',
        payment: payment.reference,
        merchant: 'Corner shop',
        choices: site.shop.assets
          .offered('USDC')
          .map(({ code }) => ({ asset: code, amount: '10' }))
          .toSorted((a, b) => Number(b.asset === 'usdc-erc20') - Number(a.asset === 'usdc-erc20')),
      },
    ]);
  });

  test('is taken in the asset that the backend chose', async () => {
    site.backend.purses.set('jane usdc-erc20', 0n);
    const payment = await site.shop.create();
    expect(await site.pay(payment)).toBe('paid');
    expect(await ledgerOf(site.db, payment, 'usdc-bep20')).toMatchObject({ external: -10n * 10n ** 18n });
  });

  test.each([
    ['a wrong password', 'jane', 'wrong', 'wrong_credentials'],
    ['an unknown name', 'nobody', 'secret', 'wrong_credentials'],
    ['too little money', 'poor', 'secret', 'insufficient_balance'],
  ] as const)(
    'with %s is refused, and may be paid at once by another',
    async (_, name, password, outcome) => {
      const payment = await site.shop.create();
      expect(await site.pay(payment, name, password)).toBe(outcome);
      expect(await statusOf(site.shop, payment)).toBe('linked');
      expect(site.states()).toEqual([]);
      expect(await site.pay(payment)).toBe('paid');
    },
  );

  test('that has ended takes nothing, and the backend is not asked', async () => {
    const paid = await site.shop.create();
    await site.pay(paid);
    const expired = await site.shop.create();
    site.shop.clock.advance(601);
    site.backend.calls = [];
    await expect(site.pay(paid)).rejects.toMatchObject(notPossible);
    await expect(site.pay(expired)).rejects.toMatchObject(notPossible);
    expect(site.backend.calls).toEqual([]);
  });
});

describe('at once', () => {
  /** Keeps the backend from answering one call until it is let go. */
  function hold(call: string): { reached: Promise<void>; go(): void } {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    site.backend.gate = async (each) => {
      if (each !== call) return;
      reached.resolve();
      await gate.promise;
    };
    return { reached: reached.promise, go: () => gate.resolve() };
  }

  test('a form that is sent twice asks once', async () => {
    const payment = await site.shop.create();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => site.pay(payment)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: 'paid' },
    ]);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect([walletErrors.wallet_asked, paymentErrors.not_possible]).toContain(result.reason.row);
    }
    expect([site.states(), site.spent()]).toEqual([['captured'], 10n]);
  });

  test('what a customer cancels while the wallet is asked is released', async () => {
    const payment = await site.shop.create();
    const asking = hold('authorize');
    const paying = site.pay(payment);
    await asking.reached;
    await write(site.shop, (tx) => cancelPayment(tx, site.deps, payment.id, 'customer'));
    asking.go();
    expect(await paying).toBe('too_late');
    expect([site.states(), site.spent()]).toEqual([['voided'], 0n]);
    expect(await statusOf(site.shop, payment)).toBe('cancelled customer');
  });

  test('what another rail pays while the wallet is asked is released', async () => {
    const payment = await site.shop.create();
    const asking = hold('authorize');
    const paying = site.pay(payment);
    await asking.reached;
    await report(site.shop, payment, { key: newId(), units: 10_000_000n });
    asking.go();
    expect(await paying).toBe('too_late');
    expect([site.states(), site.spent()]).toEqual([['voided'], 0n]);
  });

  test('what another rail pays while the wallet pays is owed to the customer', async () => {
    const payment = await site.shop.create();
    const taking = hold('capture');
    const paying = site.pay(payment);
    await taking.reached;
    await report(site.shop, payment, { key: newId(), units: 10_000_000n });
    taking.go();
    expect(await paying).toBe('paid');
    expect(await ledgerOf(site.db, payment)).toMatchObject({ payable: 10_000_000n, business: 9_900_000n });
  });

  test('another process gives a slow request up, and what it then set aside is never taken', async () => {
    const payment = await site.shop.create();
    const asking = hold('authorize');
    const paying = site.pay(payment);
    await asking.reached;
    site.shop.clock.advance(11);
    await carryOn(site.deps);
    asking.go();
    expect(await paying).toBe('unanswered');
    expect([site.states(), site.spent()]).toEqual([['voided'], 0n]);
  });
});

describe('a user who has to approve it there', () => {
  let payment: Payment;
  beforeEach(async () => {
    site.backend.approves = true;
    payment = await site.shop.create();
    expect(await site.pay(payment)).toBe('waiting');
  });
  const soon = async () => {
    site.shop.clock.advance(4);
    await carryOn(site.deps);
  };

  test('has paid as soon as that is seen', async () => {
    await soon();
    expect([await attemptShown(site.db, payment.id), await statusOf(site.shop, payment)]).toEqual([
      'waiting',
      'linked',
    ]);
    await expect(site.pay(payment)).rejects.toMatchObject({ row: walletErrors.wallet_asked });
    site.backend.answer('authorized');
    await soon();
    expect(await statusOf(site.shop, payment)).toBe('completed');
    expect(site.spent()).toBe(10n);
  });

  test('has paid once, though two processes see it at the same moment', async () => {
    site.backend.answer('authorized');
    const [id = ''] = site.backend.book.keys();
    const attempt = { id, paymentId: payment.id };
    const taken = await Promise.all(
      [1, 2, 3].map(() => captureOrRelease(site.deps, attempt, 'usdc-erc20', null)),
    );
    expect(taken.toSorted()).toEqual(['paid', 'unanswered', 'unanswered']);
    expect([site.states(), site.spent(), site.backend.calls.includes('void')]).toEqual([
      ['captured'],
      10n,
      false,
    ]);
  });

  test('and refuses is told so, and may try again', async () => {
    site.backend.answer('refused');
    await soon();
    expect(await attemptShown(site.db, payment.id)).toBe('refused');
    site.backend.approves = false;
    expect(await site.pay(payment)).toBe('paid');
  });

  test('too late has paid nothing', async () => {
    await pass(site.shop, 601);
    await carryOn(site.deps);
    site.backend.answer('authorized');
    await carryAllOn(site);
    expect([site.states(), site.spent()]).toEqual([['voided'], 0n]);
    expect(await statusOf(site.shop, payment)).toBe('cancelled abandoned');
  });
});
