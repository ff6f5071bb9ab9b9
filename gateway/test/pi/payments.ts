import type { CheckoutPayment, CheckoutTransfer } from '../../src/checkout/checkout-payment.ts';
import type { PiTarget } from '../../src/rails/rail.ts';

/** What Pi Browsers are told on Pi's own network, and what every browser is told on a demo. */
export const piNetwork: PiTarget = {
  sdkUrl: 'https://sdk.example/pi-sdk.js',
  sandbox: false,
  walletUrl: null,
};
export const piDemo: PiTarget = { ...piNetwork, walletUrl: 'https://wallet.example/wallet' };

const paid: CheckoutTransfer = {
  transaction: '5c2f1a9b4e7d60c3a8f1259e7b64d0c3185fa2e94b7c6d130e8f5a2b9c4d7e61',
  asset: 'pi',
  network: 'Pi Network',
  sender: null,
  currency: 'PI',
  amount: '314.1592653',
  explorerUrl: null,
  confirmations: 1,
  needed: 1,
  seenAt: new Date('2026-11-20T17:59:30Z'),
  state: 'seen',
};

/** A payment in PI that a shop's customer is about to send, and what becomes of it. */
export function piPayments(linked: CheckoutPayment) {
  const transferOnly = linkedPi(linked, { ...piNetwork, sdkUrl: null });
  const native = linkedPi(linked, piNetwork);
  const demo = linkedPi(linked, piDemo);
  const seen: CheckoutPayment = {
    ...native,
    status: 'pending',
    destinations: [],
    transfers: [paid],
    amountReceived: '314.1592653',
    amountMissing: '0',
    version: 3,
  };
  return {
    'linked-memo': transferOnly,
    'linked-pi': native,
    'linked-pi-demo': demo,
    'part-paid-pi': {
      ...demo,
      status: 'pending',
      transfers: [{ ...paid, amount: '300', state: 'final' }],
      amountReceived: '300',
      amountMissing: '14.1592653',
      destinations: demo.destinations.map((each) => ({ ...each, amount: '14.1592653' })),
      version: 4,
    },
    'seen-pi': seen,
    'overpaid-pi': {
      ...seen,
      amountReceived: '320',
      overpayment: '5.8407347',
      transfers: [{ ...paid, amount: '320' }],
    },
  } satisfies Record<string, CheckoutPayment>;
}

function linkedPi(linked: CheckoutPayment, pi: PiTarget): CheckoutPayment {
  const amount = '314.1592653';
  return {
    ...linked,
    currency: 'PI',
    method: 'pi',
    methods: [
      { method: 'pi', network: 'Pi Network', pi },
      { method: 'wallet', network: '' },
    ],
    amount,
    amountDue: amount,
    amountMissing: amount,
    fee: '3.1415927',
    items: [],
    destinations: [
      {
        asset: 'pi',
        network: 'Pi Network',
        address: 'GDW4ZQ2KMT7PLHF5C3XSVYB6NAEJU4RO2IWQKTD3MZ7HPLF5C3XSVYB6',
        memo: 'F7K2M9QXJT',
        amount,
        pi,
      },
    ],
  };
}
