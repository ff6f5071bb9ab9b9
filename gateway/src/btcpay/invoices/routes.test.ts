import { describe, expect, test } from 'vitest';
import {
  everyAction,
  type InvoiceBody,
  makeInvoice,
  openShop,
  readInvoice,
  simulate,
} from '../../../test/btcpay/door.ts';
import { submitForm } from '../../../test/support/api.ts';
import { startApp } from '../../../test/support/running.ts';

const app = await startApp();
const shop = await openShop(app);

const statusOf = async (id: string) => {
  const { status, additionalStatus } = await readInvoice(shop, id);
  return [status, additionalStatus];
};

describe('an invoice', () => {
  test('is a payment under an id of 22 characters, priced in the money of the shop', async () => {
    const made = await makeInvoice(shop, {
      amount: 49.9,
      currency: 'eur',
      metadata: { orderId: '1001', buyerEmail: 'zoe@example.com', any: ['thing'] },
      checkout: {
        redirectURL: 'https://shop.example/thanks?i={InvoiceId}&o={OrderId}',
        expirationMinutes: 30,
      },
    });
    expect(made.id).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(made).toMatchObject({
      ...{ storeId: shop.store, amount: '49.9', currency: 'EUR', status: 'New', additionalStatus: 'None' },
      ...{ paidAmount: '0', archived: false, availableStatusesForManualMarking: ['Invalid'] },
      metadata: { orderId: '1001', buyerEmail: 'zoe@example.com', any: ['thing'] },
      checkoutLink: `${app.baseUrl}/i/${made.id}`,
    });
    expect(made.expirationTime - made.createdTime).toBe(30 * 60);
    expect(made.checkout.paymentMethods).toContain('USDC-BASE');
    expect(await readInvoice(shop, made.id)).toEqual(made);
    const { rows } = await app.db.query(
      'SELECT success_url, customer_email FROM payments ORDER BY id DESC LIMIT 1',
    );
    expect(rows[0]).toEqual({
      success_url: `https://shop.example/thanks?i=${made.id}&o=1001`,
      customer_email: 'zoe@example.com',
    });
  });

  test('is paid in the coins that the shop named alone', async () => {
    const { id, checkout } = await makeInvoice(shop, {
      checkout: { paymentMethods: ['USDC_BASE', 'USDC-POLYGON'] },
    });
    expect(checkout.paymentMethods).toEqual(['USDC-BASE', 'USDC-POLYGON']);
    const methods = await shop.own<{ paymentMethod: string }[]>('GET', `/invoices/${id}/payment-methods`);
    expect(methods.body.map(({ paymentMethod }) => paymentMethod)).toEqual(['USDC-BASE', 'USDC-POLYGON']);
    const page = (await fetch(`${app.baseUrl}/i/${id}`)).url;
    expect((await submitForm(page, 'method', { asset: 'usdc-erc20' })).headers.get('location')).toContain(
      'notice=not_possible',
    );
  });

  test('is made once for each Idempotency-Key', async () => {
    const send = (amount: string) =>
      shop.own<InvoiceBody>('POST', '/invoices', {
        body: { amount, currency: 'USDC' },
        headers: { 'idempotency-key': 'order-77' },
      });
    const made = await send('7');
    expect((await send('7')).body).toEqual(made.body);
    expect((await send('8')).status).toBe(422);
  });

  test.each([
    [{ amount: null }, 'amount'],
    [{ amount: '-1' }, 'amount'],
    [{ amount: '1.234', currency: 'EUR' }, 'amount'],
    [{ currency: 'BTC' }, 'currency'],
    [{ metadata: { a: 'x'.repeat(66_000) } }, 'metadata'],
    [{ metadata: 'text' }, 'metadata'],
    [{ checkout: { expirationMinutes: 4 } }, 'checkout.expirationMinutes'],
    [{ checkout: { paymentTolerance: 6 } }, 'checkout.paymentTolerance'],
    [{ checkout: { redirectURL: 'javascript:alert(1)' } }, 'checkout.redirectURL'],
    [{ checkout: { paymentMethods: ['BTC'] } }, 'checkout.paymentMethods[0]'],
  ])('is refused with the field that is wrong: %j', async (change, path) => {
    const body = { amount: '10', currency: 'USDC', ...change };
    const refused = await shop.own<{ path: string; message: string }[]>('POST', '/invoices', { body });
    expect([refused.status, refused.body.map((fault) => fault.path)]).toEqual([422, [path]]);
  });

  test('of a body that is no JSON, and of another store, is refused in that form', async () => {
    const refused = await shop.own('POST', '/invoices', { raw: '{' });
    expect([refused.status, refused.body]).toEqual([
      422,
      [{ path: '', message: 'Request body is not valid JSON' }],
    ]);
    expect((await shop.own('GET', '/invoices/0123456789012345678901')).body.code).toBe('invoice-not-found');
  });

  test.each([
    ['success', ['Settled', 'None'], '10'],
    ['overpaid', ['Settled', 'PaidOver'], undefined],
    ['failure', ['Invalid', 'None'], '0'],
    ['underpaid', ['Expired', 'PaidPartial'], undefined],
    ['expire', ['Expired', 'None'], '0'],
  ])('after %s is %j', async (outcome, status, paid) => {
    const { id } = await makeInvoice(shop);
    await simulate(app, id, outcome);
    if (outcome === 'underpaid') await app.api('POST', '/test/clock/advance', { body: { seconds: 1_200 } });
    expect(await statusOf(id)).toEqual(status);
    if (paid) expect((await readInvoice(shop, id)).paidAmount).toBe(paid);
  });

  test('is cancelled by `Invalid` while nothing came, and is never marked as settled', async () => {
    const { id } = await makeInvoice(shop);
    const mark = (status: string) => shop.own('POST', `/invoices/${id}/status`, { body: { status } });
    expect((await mark('Settled')).status).toBe(422);
    expect((await mark('Invalid')).body).toMatchObject({ status: 'Invalid', additionalStatus: 'Marked' });
    expect((await mark('Invalid')).status).toBe(422);
  });

  test('is found by its order, by its status, and by values in its metadata; archived ones only when asked', async () => {
    const one = await makeInvoice(shop, {
      metadata: { orderId: 'A 7', buyer: 'Ünal' },
      additionalSearchTerms: ['till 3'],
    });
    const two = await makeInvoice(shop, { metadata: { orderId: 'A 7' } });
    const found = async (query: string) =>
      (await shop.own<InvoiceBody[]>('GET', `/invoices?${query}`)).body.map(({ id }) => id);
    expect(await found('orderId=A%207')).toEqual([two.id, one.id]);
    expect(await found('orderId=A%207&take=1&skip=1')).toEqual([one.id]);
    expect(await found('textSearch=%C3%BCnal')).toEqual([one.id]);
    expect(await found('textSearch=till%203')).toEqual([one.id]);
    expect(await found(`textSearch=${two.id}`)).toEqual([two.id]);
    expect(await found('orderId=A%207&status=Settled')).toEqual([]);
    expect(await found('orderId=A%207&status=New&status=Invalid')).toEqual([two.id, one.id]);
    expect((await shop.own('DELETE', `/invoices/${one.id}`)).status).toBe(200);
    expect(await found('orderId=A%207')).toEqual([two.id]);
    expect(await found('orderId=A%207&includeArchived=true')).toEqual([two.id, one.id]);
    expect((await shop.own('POST', `/invoices/${one.id}/unarchive`)).body.archived).toBe(false);
    expect((await shop.own('POST', `/invoices/${one.id}/unarchive`)).body.code).toBe('already-unarchived');
  });

  test('takes other metadata in place of its own', async () => {
    const { id } = await makeInvoice(shop, { metadata: { orderId: 'old', a: 1 } });
    const put = await shop.own('PUT', `/invoices/${id}`, { body: { metadata: { orderId: 'new', b: 2 } } });
    expect(put.body.metadata).toEqual({ orderId: 'new', b: 2 });
    const found = await shop.own<InvoiceBody[]>('GET', '/invoices?orderId=new');
    expect(found.body.map((each) => each.id)).toEqual([id]);
  });

  test('shows what came by each payment method', async () => {
    const { id } = await makeInvoice(shop, {
      amount: '5',
      currency: 'EUR',
      checkout: { paymentMethods: ['USDC-BASE'] },
    });
    await simulate(app, id, 'success');
    const [method] = (await shop.own<Record<string, unknown>[]>('GET', `/invoices/${id}/payment-methods`))
      .body;
    expect(method).toMatchObject({
      ...{ paymentMethod: 'USDC-BASE', currency: 'USDC', rate: '0.8', amount: '6.25', due: '0' },
      ...{ paymentMethodPaid: '6.25', totalPaid: '6.25', networkFee: '0', activated: true },
      payments: [{ value: '6.25', status: 'Settled', fee: '0' }],
    });
    expect((await readInvoice(shop, id)).paidAmount).toBe('5');
  });
});

describe('a refund of an invoice', () => {
  const refund = (id: string, body: object, by = shop) =>
    by.own<{ id: string; amount: string; currency: string; viewLink: string; code: string }>(
      'POST',
      `/invoices/${id}/refund`,
      { body },
    );
  const paid = async (change: object = {}) => {
    const { id } = await makeInvoice(shop, change);
    await simulate(app, id, 'success');
    return id;
  };

  test('is a pull payment whose link is the page on which it is claimed', async () => {
    const id = await paid();
    const made = await refund(id, {
      refundVariant: 'Custom',
      customAmount: '2.50',
      customCurrency: 'USDC',
      description: 'broken',
    });
    expect(made.body).toMatchObject({
      amount: '2.5',
      currency: 'USDC',
      description: 'broken',
      archived: false,
    });
    expect(await (await fetch(made.body.viewLink)).text()).toContain('2.5');
    const list = (await shop.own<{ id: string }[]>('GET', '/pull-payments')).body;
    expect(list.map((each) => each.id)).toContain(made.body.id);
    expect((await shop.call('GET', `/pull-payments/${made.body.id}`)).body.amount).toBe('2.5');
  });

  test('is made once for each Idempotency-Key', async () => {
    const id = await paid();
    const send = () =>
      shop.own<{ id: string }>('POST', `/invoices/${id}/refund`, {
        body: { refundVariant: 'Custom', customAmount: 1, customCurrency: 'USDC' },
        headers: { 'idempotency-key': 'return-5' },
      });
    const made = await send();
    expect([made.status, (await send()).body]).toEqual([200, made.body]);
  });

  test('is of all that came less a part, of an overpayment, or of money of the price', async () => {
    expect(
      (await refund(await paid(), { refundVariant: 'RateThen', subtractPercentage: '10' })).body.amount,
    ).toBe('9');
    const priced = await paid({ amount: 8, currency: 'EUR', checkout: { paymentMethods: ['USDC-BASE'] } });
    const part = { refundVariant: 'Custom', customAmount: 4, customCurrency: 'EUR' };
    expect((await refund(priced, part)).body).toMatchObject({ amount: '5', currency: 'USDC' });
    // The coin is worth twice as much today, so half of what came is refunded.
    const came = await paid({ amount: 8, currency: 'EUR' });
    const pair = { currency: 'USDC', price_currency: 'EUR' };
    await app.api('PUT', '/test/rates', { body: { ...pair, rate: '1.6' } });
    expect((await refund(came, { refundVariant: 'CurrentRate' })).body.amount).toBe('5');
    await app.api('PUT', '/test/rates', { body: { ...pair, rate: null } });
    const { id } = await makeInvoice(shop);
    await simulate(app, id, 'overpaid');
    expect(Number((await refund(id, { refundVariant: 'OverpaidAmount' })).body.amount)).toBeGreaterThan(0);
  });

  test.each([
    [{ refundVariant: 'OverpaidAmount' }, 422],
    [{ refundVariant: 'Custom', customAmount: 0, customCurrency: 'USDC' }, 422],
    [{ refundVariant: 'Custom', customAmount: 1, customCurrency: 'EUR' }, 422],
    [{ refundVariant: 'RateThen', paymentMethod: 'BTC' }, 422],
    [{}, 422],
  ])('is refused: %j', async (body, status) => {
    expect((await refund(await paid(), body)).status).toBe(status);
  });

  test('goes no further in a day than the key may', async () => {
    const limited = await openShop(app, everyAction, { 'usdc-base': '5' });
    const id = await paid({ checkout: { paymentMethods: ['USDC-BASE'] } });
    const part = (customAmount: number) =>
      refund(id, { refundVariant: 'Custom', customAmount, customCurrency: 'USDC' }, limited);
    expect((await part(4)).status).toBe(200);
    const more = await part(2);
    expect([more.status, more.body.code]).toEqual([403, 'payout-limit']);
    expect((await part(1)).status).toBe(200);
  });

  test('needs the right to make refunds, money that came, and an invoice', async () => {
    const { id } = await makeInvoice(shop);
    expect((await refund(id, { refundVariant: 'RateThen' })).body.code).toBe('non-refundable');
    const weak = await openShop(app, ['read payments', 'create payments', 'cancel payments']);
    expect((await refund(await paid(), { refundVariant: 'RateThen' }, weak)).status).toBe(403);
    const bare = await shop.own('POST', '/pull-payments', { body: { amount: '1', currency: 'USDC' } });
    expect([bare.status, bare.body]).toEqual([422, [{ path: '', message: 'Use invoices/{id}/refund' }]]);
  });
});

describe('the page of an invoice', () => {
  test('pays, and claims, disputes and cancels nothing', async () => {
    const { id } = await makeInvoice(shop);
    const page = await fetch(`${app.baseUrl}/i/${id}`);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(page.url).toContain(`token=${id}`);
    expect(text).not.toContain('id="cancel-button"');
    for (const form of ['cancel', 'claim', 'dispute', 'message', 'refund'])
      expect((await submitForm(page.url, form, { reason: 'x', transaction: 'x' })).status).toBe(404);
    await simulate(app, id, 'success');
    expect(await (await fetch(page.url)).text()).not.toContain('id="dispute-button"');
    expect((await fetch(`${app.baseUrl}/i/${id}/receipt`)).status).toBe(200);
    expect((await fetch(`${app.baseUrl}/i/0123456789012345678901`)).status).toBe(404);
  });

  test('stands in a frame of its shop, which is told of it in the words of that API', async () => {
    const { id } = await makeInvoice(shop);
    const frame = `${app.baseUrl}/i/${id}/frame?parent=${encodeURIComponent('http://localhost:8080')}&close=1`;
    const told = async () =>
      /data-message="([^"]*)"/.exec(await (await fetch(frame)).text())?.[1]?.replaceAll('&quot;', '"');
    expect(JSON.parse((await told()) ?? '')).toEqual({ invoiceId: id, status: 'new' });
    await simulate(app, id, 'success');
    expect(JSON.parse((await told()) ?? '')).toEqual({ invoiceId: id, status: 'complete' });
  });
});
