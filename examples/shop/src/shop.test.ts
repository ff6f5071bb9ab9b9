import { destinationAddress, paymentWords } from '@florin/sdk';
import { describe, expect, test } from 'vitest';
import { eventOf, signWebhook } from '../test/gateway.ts';
import { openShop } from '../test/open-shop.ts';

describe('an order', () => {
  test('is written down, charged through the gateway, and sent on to the payment page', async () => {
    const { url, buy } = await openShop();
    const form = { product: 'brass-fountain-pen', quantity: '3', email: 'ann@example.com' };
    const { response, payment, path } = await buy(form);

    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toContain(`/pay?reference=${payment.reference}`);
    expect(payment).toMatchObject({
      amount: 126,
      currency: 'USDC',
      payment_type: 'deposit',
      customer_email: 'ann@example.com',
      success_url: `${url}${path}?returned=success`,
      failure_url: `${url}${path}?returned=failure`,
      item_list: { items: [{ name: 'Brass fountain pen', price: 42, quantity: 3 }] },
      idempotencyKey: `order-${path.slice('/orders/'.length)}-1`,
    });
    expect(path).toMatch(/^\/orders\/[\w-]{22}$/);
  });

  test('shows the way back to its payment while it is open, and asks for no second one', async () => {
    const { buy, pageOf, post, gateway } = await openShop();
    const { payment, path } = await buy();
    expect(await pageOf(path)).toContain(`reference=${payment.reference}`);
    const again = await post(`${path}/pay`, {});
    expect(again.headers.get('location')).toContain(payment.reference);
    expect(gateway.created).toHaveLength(1);
  });

  test('is paid in a pop-up above its page, where the customer chooses that', async () => {
    const { buy, pageOf, gateway, url } = await openShop();
    const { response, payment, path } = await buy({ product: 'ledger-notebook', pay: 'here' });
    expect(response.headers.get('location')).toBe(`${path}?pay=here`);
    const page = await pageOf(`${path}?pay=here`);
    expect(page).toMatch(new RegExp(`href="[^"]*reference=${payment.reference}[^"]*" data-florin`));
    expect(page).toContain(`<script defer src="${gateway.url}/florin.js"></script>`);
    const policy = (await fetch(url + path)).headers.get('content-security-policy');
    expect(policy).toContain(`script-src 'self' ${gateway.url}; frame-src ${gateway.url};`);
  });

  test('is not paid by the customer coming back', async () => {
    const { buy, pageOf } = await openShop();
    const { path } = await buy();
    const page = await pageOf(`${path}?returned=success`);
    expect(page).toContain('Almost there');
    expect(page).toContain('<span class="status open">');
  });

  test('outlives a gateway that is down, and can be paid when it is back', async () => {
    const { gateway, post, pageOf, log } = await openShop();
    gateway.state.down = true;
    const placed = await post('/orders', { product: 'cedar-pencils' });
    const path = placed.headers.get('location')!;
    expect(path).toMatch(/^\/orders\//);
    expect(await pageOf(path)).toContain('could not be reached');
    expect(log).toHaveLength(1);

    gateway.state.down = false;
    expect((await post(`${path}/pay`, {})).headers.get('location')).toContain('/pay?reference=');
  });

  test.each([
    [{ product: 'ledger-notebook', quantity: '0' }, 400],
    [{ product: 'ledger-notebook', quantity: '21' }, 400],
    [{ product: 'ledger-notebook', quantity: '1.5' }, 400],
    [{ product: 'ledger-notebook', email: 'ann@' }, 400],
    [{ product: 'gold-bar' }, 404],
  ])('that cannot be right is not placed: %o', async (form, status) => {
    const { post, gateway } = await openShop();
    expect((await post('/orders', form)).status).toBe(status);
    expect(gateway.created).toEqual([]);
  });

  test('posted from another site is refused', async () => {
    const { post, gateway, url, buy } = await openShop();
    const form = { product: 'ledger-notebook' };
    expect((await post('/orders', form, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post('/orders', form, { 'Sec-Fetch-Site': 'same-site' })).status).toBe(403);
    expect((await post('/orders', form, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await post('/orders', form, { Origin: 'null' })).status).toBe(403);
    expect(gateway.created).toEqual([]);
    expect((await post('/orders', form, { Origin: url })).status).toBe(303);
    const { path } = await buy();
    expect((await post(`${path}/pay`, {}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  });
});

describe('a signed webhook', () => {
  test('marks the order paid', async () => {
    const { buy, settle, pageOf } = await openShop();
    const { path } = await buy();
    expect((await settle('payment_completed')).status).toBe(200);
    expect(await pageOf(path)).toContain('<h1>Paid, thank you</h1>');
    expect(await pageOf('/orders')).toContain('<span class="status paid">');
  });

  test('delivered twice changes nothing the second time', async () => {
    const { buy, deliver, pageOf } = await openShop();
    const { payment, path } = await buy();
    const event = eventOf(payment, 'payment_completed');
    const first = await deliver(event);
    const page = await pageOf(path);
    const second = await deliver(event);
    expect([first.status, await first.text()]).toEqual([200, 'applied']);
    expect([second.status, await second.text()]).toEqual([200, 'repeated']);
    expect(await pageOf(path)).toBe(page);
  });

  test('with the wrong amount or currency does not mark the order paid', async () => {
    const { buy, deliver, pageOf, post } = await openShop();
    for (const change of [{ amount: 17.99 }, { amount: 180 }, { currency: 'PI' as const }]) {
      const { payment, path } = await buy();
      expect((await deliver(eventOf(payment, 'payment_completed', change))).status).toBe(200);
      const page = await pageOf(path);
      expect(page).toContain('<span class="status open">');
      expect(page).toContain('not the price of this order');
      expect((await post(`${path}/pay`, {})).headers.get('location')).toBe(path);
    }
  });

  test('of a failure offers another try, which is a payment of its own', async () => {
    const { buy, settle, pageOf, post, gateway } = await openShop();
    const { payment, path } = await buy();
    await settle('payment_failed');
    expect(await pageOf(path)).toContain('Try again');

    await post(`${path}/pay`, {});
    expect(gateway.created).toHaveLength(2);
    expect(gateway.created[1]!.idempotencyKey).not.toBe(payment.idempotencyKey);
    expect(await pageOf(path)).toContain('<span class="status open">');
    await settle('payment_completed');
    expect(await pageOf(path)).toContain('<h1>Paid, thank you</h1>');
  });

  test('of an abandoned page leaves the order open, with a note', async () => {
    const { buy, settle, pageOf } = await openShop();
    const { path } = await buy();
    expect((await settle('payment_abandoned')).status).toBe(200);
    const page = await pageOf(path);
    expect(page).toContain('<span class="status open">');
    expect(page).toContain('The payment page was left');
  });

  test('of an old failure does not undo what came after', async () => {
    const { buy, settle, deliver, pageOf, post } = await openShop();
    const { payment, path } = await buy();
    await settle('payment_abandoned');
    await post(`${path}/pay`, {});
    await deliver(eventOf(payment, 'payment_failed'));
    expect(await pageOf(path)).toContain('<span class="status open">');
    await settle('payment_completed');
    await deliver(eventOf(payment, 'payment_failed'));
    expect(await pageOf(path)).toContain('<h1>Paid, thank you</h1>');
  });

  test('for a second payment of a paid order says so', async () => {
    const { buy, settle, deliver, pageOf, post } = await openShop();
    const { payment, path } = await buy();
    await settle('payment_abandoned');
    await post(`${path}/pay`, {});
    await settle('payment_completed');
    await deliver(eventOf(payment, 'payment_completed'));
    expect(await pageOf(path)).toContain('paid twice');
  });

  test('of an unknown type, or of another program’s payment, is taken and ignored', async () => {
    const { buy, deliver, pageOf } = await openShop();
    const { payment, path } = await buy();
    const page = await pageOf(path);
    const foreign = eventOf({ ...payment, reference: 'PAY_other' }, 'payment_completed');
    for (const event of [eventOf(payment, 'payment_delighted'), foreign]) {
      const response = await deliver(event);
      expect([response.status, await response.text()]).toEqual([200, 'ignored']);
    }
    expect(await pageOf(path)).toBe(page);
  });
});

test('a webhook that cannot be believed is answered 400 and changes nothing', async () => {
  const { buy, pageOf, url } = await openShop();
  const { payment, path } = await buy();
  const page = await pageOf(path);
  const { headers, ...request } = signWebhook(eventOf(payment, 'payment_completed'));
  const forgeries = [
    { ...request, headers: { ...headers, 'X-Signature': headers['webhook-signature']!.slice(3) } },
    { ...request, headers: { ...headers, 'webhook-signature': `v1,${headers['X-Signature']}` } },
    { ...request, headers: {} },
    { ...request, headers, body: request.body.replace('18', '81') },
    { ...request, headers, body: 'not json' },
  ];
  for (const forged of forgeries) expect((await fetch(`${url}/webhook`, forged)).status).toBe(400);
  expect(await pageOf(path)).toBe(page);
});

test('an address that is none is not found', async () => {
  const { url } = await openShop();
  expect((await fetch(`${url}//`)).status).toBe(404);
  expect((await fetch(`${url}/orders`, { method: 'DELETE' })).status).toBe(404);
});

test('a body that is too large is refused in words', async () => {
  const { url } = await openShop();
  const response = await fetch(`${url}/webhook`, { method: 'POST', body: 'x'.repeat(65 * 1024) });
  expect(response.status).toBe(413);
});

test('what a customer typed is text on every page', async () => {
  const { post, buy, pageOf } = await openShop();
  const email = '"><script>alert(1)</script>@example.com';
  const refused = await post('/orders', { product: 'ledger-notebook', email, quantity: 'x"><i>' });
  expect(await refused.text()).not.toMatch(/<script>alert|<i>/);
  const { path } = await buy({ product: 'ledger-notebook', email: '"><b>x</b>@example.com' });
  expect(await pageOf(path)).toContain('&#34;&#62;&#60;b&#62;');
});

test('every page keeps to a policy without inline code or foreign sources', async () => {
  const { url, gateway } = await openShop();
  for (const path of ['/', '/products/iron-gall-ink', '/orders', '/nowhere', '/orders/none']) {
    const response = await fetch(url + path);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${gateway.url};`);
    expect(policy).not.toContain('unsafe');
    expect(await response.text()).not.toMatch(/ style=| on\w+="/);
  }
});

describe('a shop that knows where its money must go', () => {
  const agreed = { merchant: `0x${'1'.repeat(40)}`, host: `0x${'2'.repeat(40)}`, basisPoints: 100 };

  test('sends nobody on whose address it has not recomputed, and shows words to compare', async () => {
    const { buy, pageOf, gateway } = await openShop({ agreed });
    gateway.state.destinationsOf = ({ id }) => [
      { asset: 'usdc-base', chain_id: 8453, address: destinationAddress(id, agreed) },
    ];
    const { response, payment, path } = await buy({ product: 'brass-fountain-pen' });
    expect(response.headers.get('location')).toBe(path);
    const { id: paymentId, reference } = payment;
    const known = { paymentId, agreed, chainId: 8453, asset: 'usdc-base', amount: '42', reference };
    const page = await pageOf(path);
    expect(page).toContain(`usdc-base: ${paymentWords(known)}, ${destinationAddress(paymentId, agreed)}`);
    expect(page).toContain(`reference=${reference}`);
  });

  test('refuses a payment whose money would go elsewhere', async () => {
    const { buy, pageOf, gateway, log } = await openShop({ agreed });
    gateway.state.destinationsOf = () => [
      { asset: 'usdc-base', chain_id: 8453, address: agreed.host, merchant: agreed.host },
    ];
    const { response, payment, path } = await buy();
    expect(response.headers.get('location')).toBe(path);
    expect(await pageOf(path)).not.toContain(payment.reference);
    expect(log.join()).toContain('its address was refused: other_merchant');
  });
});
