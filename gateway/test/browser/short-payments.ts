import type { CheckoutPayment } from '../../src/checkout/checkout-payment.ts';

/** Of a payment that lacks nothing, or too much. */
export const notShort: Pick<CheckoutPayment, 'shortAmount' | 'shortfall'> = {
  shortAmount: null,
  shortfall: { isTolerated: false, isFinal: true },
};

/** Payments for which less came: by a fee that an exchange kept, and accepted by their shop. */
export function shortPayments(partPaid: CheckoutPayment, completed: CheckoutPayment) {
  const came = (payment: CheckoutPayment, amount: string, amountMissing: string): CheckoutPayment => ({
    ...payment,
    amountReceived: amount,
    amountMissing,
    transfers: payment.transfers.map((each) => ({ ...each, amount, confirmations: 3, state: 'final' })),
    destinations: payment.destinations.map((each) => ({ ...each, amount: amountMissing })),
  });
  const short = came(partPaid, '25.1', '0.4');
  return {
    /** Its shop accepts no less than is due. */
    'part-paid-fee': short,
    'part-paid-short': { ...short, shortfall: { isTolerated: true, isFinal: true } },
    'completed-accepted': { ...came(completed, '10.25', '15.25'), reason: 'accepted' },
    'completed-short': { ...came(completed, '25.1', '0.4'), reason: 'short', shortAmount: '25.1' },
    /** The missing part came later. */
    'completed-short-overpaid': {
      ...{ ...came(completed, '25.5', '0'), reason: 'short' },
      ...{ shortAmount: '25.1', overpayment: '0.4' },
    },
  } as const satisfies Record<string, CheckoutPayment>;
}

type Made = Record<'pending' | 'partPaid' | 'completed', CheckoutPayment>;

/** Payments whose money came after the deadline, by the name of the state. `inMinutes` is a time from now on. */
export function latePayments({ pending, partPaid, completed }: Made, inMinutes: (minutes: number) => Date) {
  const deadline = inMinutes(-5);
  const lateUntil = inMinutes(24 * 60);
  const abandoned = { status: 'cancelled', reason: 'abandoned', deadline, endedAt: deadline } as const;
  const late = { ...pending, ...abandoned, lateUntil };
  return {
    late,
    'late-overpaid': { ...late, amountReceived: '30', overpayment: '4.5' },
    'late-part': { ...partPaid, ...abandoned, destinations: [] },
    'completed-late': { ...completed, deadline, lateUntil },
  } satisfies Record<string, CheckoutPayment>;
}
