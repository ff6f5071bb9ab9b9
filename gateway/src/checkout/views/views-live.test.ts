import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { renderPage } from './render.ts';

const LIVE = (Object.entries(PAYMENTS) as [PaymentName, CheckoutPayment][]).filter(
  ([, { mode }]) => mode === 'live',
);

const OPTIONS = {
  locale: 'en',
  payPath: '/pay',
  origin: 'https://pay.example',
  now: NOW,
  assets: namedAssets,
} as const;
const render = (payment: CheckoutPayment) => renderPage(payment, OPTIONS);
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ');
const namesOf = (has: (page: string) => boolean) =>
  LIVE.filter(([, payment]) => has(render(payment))).map(([name]) => name);

/** The transfer that the page requests from a browser wallet. */
function orderOf(payment: CheckoutPayment) {
  const [, order = ''] = render(payment).match(/data-order="([^"]*)"/) ?? [];
  const entities: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
  return JSON.parse(order.replace(/&([^;]+);/g, (_, name: string) => entities[name] ?? ''));
}

describe('the networks to choose from', () => {
  test('show how long they take and in which coin their fee is paid', () => {
    const words = textOf(render(PAYMENTS.waiting));
    expect(words).toContain('Base USDC Confirmed in about 20 min · Network fee in ETH');
    expect(words).toContain('BNB Smart Chain USDC Confirmed in about 3 sec · Network fee in BNB');
    expect(words).toContain('Ethereum USDC Confirmed in about 13 min · Network fee in ETH');
  });

  test('show neither in test mode', () => {
    expect(render(PAYMENTS['waiting-test'])).not.toContain('Confirmed in');
  });
});

describe('the destination', () => {
  test('has its network beside the address, and a warning about other networks', () => {
    const words = textOf(render(PAYMENTS.linked));
    expect(words).toContain('Address · only on Base');
    expect(words).toContain('Send USDC on Base only');
  });

  test('is one, and other networks are behind a line of their own', () => {
    const page = render(PAYMENTS['part-paid-by-itself']);
    expect(page.match(/<section class="destination"/g)).toHaveLength(1);
    expect(textOf(/<details id="other-network-1">.*?<\/summary>/s.exec(page)?.[0] ?? '')).toBe(
      'Or send it on BNB Smart Chain',
    );
  });

  test('has the exact amount to copy, with every decimal', () => {
    expect(render(PAYMENTS['linked-demo'])).toContain('id="copy-amount-0" data-copy="25.500000000000000001"');
  });
});

describe('paying with a browser wallet', () => {
  test('is offered on EVM chains while money is still to be sent', () => {
    expect(namesOf((page) => page.includes('id="browser-wallet"'))).toEqual([
      'linked',
      'linked-demo',
      'linked-wrong-token',
      'part-paid',
      'part-paid-by-itself',
      'part-gone',
      'part-paid-fee',
      'part-paid-short',
      'priced-linked',
      'priced-linked-fee',
      'priced-yen',
      'priced-dinar',
      'priced-long',
      'priced-part-paid',
      ...['priced-discount', 'priced-surcharge', 'priced-ending', 'priced-fee-kept', 'priced-short'],
      ...['priced-enough', 'priced-wrong-token'],
    ]);
  });

  test('requests the exact units of the token, to the address that is shown', () => {
    expect(orderOf(PAYMENTS['linked-demo'])).toMatchObject({
      to: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      token: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
      units: '25500000000000000001',
      chainId: 31337,
    });
    expect(orderOf(PAYMENTS['part-paid'])).toMatchObject({ units: '15250000', chainId: 8453 });
  });

  test('has the transfers that were seen, so that the script warns only about others', () => {
    const [transfer] = PAYMENTS['part-paid'].transfers;
    expect(orderOf(PAYMENTS['part-paid']).seen).toEqual([transfer?.transaction]);
  });

  test('works with a reference that is markup', () => {
    const reference = `"></section><script>`;
    expect(orderOf({ ...PAYMENTS.linked, reference }).payment).toContain(reference);
  });
});

describe('the receipt', () => {
  test('has the network, the whole transaction and a link to its sheet, beside lines with their totals', () => {
    const page = render(PAYMENTS.completed);
    const receipt = textOf(/<section class="receipt">.*?<\/section>/s.exec(page)?.[0] ?? '');
    const goods = textOf(/<div class="goods">.*?<\/dl>/s.exec(page)?.[0] ?? '');
    expect(goods).toContain('Ethiopia Guji, 250 g12.50 USDC');
    expect(goods).toContain('Paper filters × 2 · 6.50 USDC each13.00 USDC');
    expect(receipt).toContain('NetworkBase');
    expect(receipt).toContain(`Transaction${PAYMENTS.completed.transfers[0]?.transaction}`);
    expect(page).toMatch(
      /<a class="button plain" id="receipt" href="\/pay\/receipt\?reference=PAY_[^"]*&amp;lang=en">/,
    );
  });

  test('multiplies exactly, also by a quantity with decimals', () => {
    const items = [
      { name: 'Tea', price: 0.1, quantity: 3 },
      { name: 'Rice', price: 2.2, quantity: 1.5 },
    ];
    const words = textOf(render({ ...PAYMENTS.completed, items }));
    expect(words).toContain('Tea × 3 · 0.10 USDC each0.30 USDC');
    expect(words).toContain('Rice × 1.5 · 2.20 USDC each3.30 USDC');
  });
});

test('a dispute shows its customer what they wrote, and late money the reference to name', () => {
  expect(textOf(render(PAYMENTS['in-appeal-disputed']))).toContain(
    'What you reportedThe filters are missing.',
  );
  expect(textOf(render(PAYMENTS.late))).toContain(
    `If you write to Acme Coffee Roasters, name this reference:${PAYMENTS.late.reference}`,
  );
});

describe('transfers', () => {
  test.each(['seen', 'overpaid', 'late', 'completed'] as const)(
    'of %s have a link to their block explorer',
    (name) => {
      expect(render(PAYMENTS[name])).toContain(`href="${PAYMENTS[name].transfers[0]?.explorerUrl}"`);
    },
  );

  test('that are not confirmed yet show how long ago they were seen, and how long that usually takes', () => {
    const words = textOf(render(PAYMENTS.seen));
    expect(words).toContain('1 of 3 confirmations');
    expect(words).toContain(PAYMENTS.seen.transfers[0]?.transaction);
    expect(words).toContain('Sent 2 min ago. Base usually needs about 20 min.');
    expect(textOf(render(PAYMENTS.late))).toContain('Confirmed in about 4 sec');
  });

  test('that take longer than usual are explained, and nothing offers to pay again or to cancel', () => {
    const helpOf = (minutes: number) => {
      const now = new Date(NOW.getTime() + minutes * 60_000);
      return / id="not-through"/.test(page(now)) && !/data-from="\d+" hidden/.test(page(now));
    };
    const page = (now: Date) => renderPage(PAYMENTS.seen, { ...OPTIONS, now });
    expect([helpOf(17), helpOf(19)]).toEqual([false, true]);
    expect(textOf(page(new Date(NOW.getTime() + 19 * 60_000)))).toContain(
      'Do not pay again: if the network drops',
    );
    expect(page(NOW)).not.toMatch(/<form|data-order/);
  });

  test('have no link without a block explorer, nor to a script address', () => {
    for (const explorerUrl of [null, 'javascript:alert(1)']) {
      const transfers = PAYMENTS.seen.transfers.map((transfer) => ({ ...transfer, explorerUrl }));
      expect(render({ ...PAYMENTS.seen, transfers })).not.toContain('rel="noreferrer"');
    }
  });

  test.each(['linked-wrong-token', 'completed-wrong-token'] as const)(
    'in another currency have a warning on %s that they do not count',
    (name) => {
      const words = textOf(render(PAYMENTS[name]));
      expect(words).toContain('10.00 USDT has arrived, but this payment takes USDC. It is safe');
    },
  );
});

test('test coins are offered only on the chain that has a faucet', () => {
  expect(namesOf((page) => page.includes('action="/pay/faucet"'))).toEqual(['linked-demo']);
});
