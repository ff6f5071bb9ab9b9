import { onTestFinished } from 'vitest';
import type { ShopConfig } from '../src/config.ts';
import { startShop } from '../src/shop.ts';
import { eventOf, type SentEvent, secrets, signWebhook, startGateway } from './gateway.ts';

/** A shop in front of a gateway stand-in, both closed when the test ends; and what a customer does in it. */
export async function openShop(more: Pick<ShopConfig, 'live' | 'agreed'> = {}) {
  const gateway = await startGateway();
  const log: string[] = [];
  const place = { host: '127.0.0.1', port: 0, dataPath: ':memory:' };
  const shop = await startShop({ ...place, florinUrl: gateway.url, ...secrets, ...more }, (line) =>
    log.push(line),
  );
  onTestFinished(async () => {
    gateway.close();
    await shop.close();
  });

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(shop.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
      redirect: 'manual',
    });
  const pageOf = async (path: string) => (await fetch(shop.url + path)).text();
  const deliver = (event: SentEvent) => fetch(`${shop.url}/webhook`, signWebhook(event));

  /** Buys something and gives the payment that the gateway was asked for, with the path of the order's page. */
  async function buy(form: Record<string, string> = { product: 'ledger-notebook' }) {
    const response = await post('/orders', form);
    const payment = gateway.created.at(-1)!;
    const { order_id } = JSON.parse(payment.meta_data ?? '{}') as { order_id: string };
    return { response, payment, path: `/orders/${order_id}` };
  }

  /** Lets the newest payment end with an event of this type. */
  const settle = (type: string) => deliver(eventOf(gateway.created.at(-1)!, type));

  return { url: shop.url, gateway, log, post, pageOf, deliver, buy, settle };
}
