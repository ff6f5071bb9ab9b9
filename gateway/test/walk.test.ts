// How a payment goes through the gateway, from the shop's request to the shop's webhook. Read this first.
import { beforeAll, describe, expect, test } from 'vitest';
import { type CreatedPayment, readPage, submitForm } from './support/api.ts';
import { type RunningGateway, startGateway } from './support/running.ts';
import { isSignedWith, openReceiver, type Receiver } from './webhooks/receiver.ts';

let gateway: RunningGateway;
/** The shop's own server, which gets the webhooks. */
let shop: Receiver;

beforeAll(async () => {
  [gateway, shop] = await Promise.all([startGateway(), openReceiver()]);
  await gateway.api('POST', '/webhook-endpoints', { body: { url: shop.url } });
  return shop.close;
});

type BalanceLine = { asset: string; amount: string; cause: string; cause_id: string };
type Info = { payment_reference: string; payment_status: string };

const pagePath = '/pay?reference=';

// Two ways to pay, and the same four legs for both.
describe.each([
  {
    way: 'by a transfer on a chain, which test mode simulates',
    pay: (url: string) => submitForm(url, 'simulate', { outcome: 'success' }),
    reference: 'WALK-CHAIN-7f3a',
  },
  {
    way: 'from the wallet of a user',
    pay: async (url: string) => {
      await submitForm(url, 'method', { asset: 'wallet' });
      return await submitForm(url, 'wallet', gateway.demo.users[0]!);
    },
    reference: 'WALK-WALLET-91c0',
  },
])('a customer pays 100 USDC $way', ({ pay, reference }) => {
  let payment: CreatedPayment;

  test('1. the shop creates a payment, and sends the customer to its page', async () => {
    const { status, body } = await gateway.api<CreatedPayment>('PUT', '/payment/create', {
      body: { amount: 100, currency: 'USDC', payment_type: 'deposit', payment_reference: reference },
    });
    payment = body.data;
    expect(status).toBe(200);
    expect(payment.PaymentData).toMatchObject({ payment_reference: reference, payment_status: 'unlinked' });
    expect(payment.PaymentURL).toContain(`${pagePath}${reference}`);
  });

  test('2. the customer opens the page, reads what to pay and to whom, and pays', async () => {
    const page = await readPage(payment.PaymentURL);
    expect(page.words).toContain('Nib & Folio To pay 100.00 USDC');

    const paid = await pay(payment.PaymentURL);
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toContain(`${pagePath}${reference}`);
  });

  test('3. the money is the merchant’s, less the fee of 1 %', async () => {
    const { body } = await gateway.api<{ items: BalanceLine[] }>('GET', '/balance-entries');
    const lines = body.data.items.filter(({ cause_id }) => cause_id === payment.PaymentData.id);
    expect(lines).toMatchObject([{ asset: 'usdc-erc20', amount: '99', cause: 'payment_settled' }]);
  });

  test('4. the shop gets a webhook, which it verifies with its key', async () => {
    const webhook = await shop.next(({ body }) => body.payment_reference === reference, 'The webhook');
    expect(webhook.body).toMatchObject({ event_type: 'payment_completed', amount: 100, service_fee: 1 });
    const { secret_key: key } = gateway.demo;
    expect(isSignedWith(key, webhook.raw, webhook.headers['x-signature'])).toBe(true);
  });

  test('and whoever asks is told that the payment is completed', async () => {
    const { body } = await gateway.api<Info>('GET', `/payment/info/${reference}`, { key: null });
    expect(body.message).toBe('Payment information');
    expect(body.data).toMatchObject({ payment_reference: reference, payment_status: 'completed' });
  });
});
