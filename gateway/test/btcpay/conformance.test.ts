import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { startApp } from '../support/running.ts';
import { startReceiver } from '../webhooks/fixtures.ts';
import { makeInvoice, openShop, simulate } from './door.ts';
import * as shapes from './shapes.ts';

// Every answer of the door has the shape that the public description of the BTCPay API gives it (contract.md#btcpay).

const app = await startApp();
const shop = await openShop(app);

function assertShape(name: string, schema: TSchema, value: unknown): void {
  const check = Compile(schema);
  const faults = check.Check(value)
    ? []
    : [...check.Errors(value)].map(({ instancePath, message }) => `${instancePath} ${message}`);
  expect(faults, `${name}: ${JSON.stringify(value)}`).toEqual([]);
}

test('every answer has its shape', async () => {
  const receiver = await startReceiver();
  const hook = await shop.own<{ id: string }>('POST', '/webhooks', { body: { url: receiver.url } });
  assertShape('new webhook', shapes.NewHook, hook.body);
  const priced = await makeInvoice(shop, { amount: '8.00', currency: 'EUR', metadata: { orderId: '1' } });
  assertShape('invoice', shapes.Invoice, priced);
  await simulate(app, priced.id, 'success');
  const order = { refundVariant: 'RateThen', subtractPercentage: 10 };
  assertShape(
    'refund',
    shapes.PullPayment,
    (await shop.own('POST', `/invoices/${priced.id}/refund`, { body: order })).body,
  );
  for (const outcome of ['failure', 'expire', 'slow', 'overpaid']) {
    await simulate(app, (await makeInvoice(shop)).id, outcome);
    await app.api('POST', '/test/clock/advance', { body: { seconds: 30 } });
  }
  await receiver.reached(12);

  const reads: [string, TSchema][] = [
    ['/server/info', shapes.ServerInfo],
    ['/health', shapes.Health],
    ['/api-keys/current', shapes.ApiKey],
    [`/stores/${shop.store}`, shapes.Store],
    [`/stores/${shop.store}/payment-methods`, shapes.PaymentMethods],
    [`/stores/${shop.store}/rates`, shapes.Rates],
    [`/stores/${shop.store}/invoices`, shapes.Invoices],
    [`/stores/${shop.store}/invoices/${priced.id}`, shapes.Invoice],
    [`/stores/${shop.store}/invoices/${priced.id}/payment-methods`, shapes.InvoiceMethods],
    [`/stores/${shop.store}/pull-payments`, shapes.PullPayments],
    [`/stores/${shop.store}/webhooks`, shapes.Hooks],
    [`/stores/${shop.store}/webhooks/${hook.body.id}`, shapes.Hook],
    [`/stores/${shop.store}/webhooks/${hook.body.id}/deliveries`, shapes.Deliveries],
  ];
  for (const [path, shape] of reads) {
    const { status, body } = await shop.call('GET', path);
    expect(status, path).toBe(200);
    assertShape(path, shape, body);
  }
  assertShape('problem', shapes.Problem, (await shop.own('GET', '/invoices/none')).body);
  assertShape('faults', shapes.Faults, (await shop.own('POST', '/invoices', { body: {} })).body);

  const sent = receiver.got.map(
    ({ raw }) => JSON.parse(raw.toString()) as { type: keyof typeof shapes.events },
  );
  for (const each of sent) assertShape(each.type, shapes.events[each.type], each);
  expect([...new Set(sent.map(({ type }) => type))].toSorted()).toEqual(
    Object.keys(shapes.events).toSorted(),
  );
});
