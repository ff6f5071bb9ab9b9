import { expect, onTestFinished } from 'vitest';
import { auditFindingsOf, createLive, destinationOf, stateOf } from '../chain/demo-chain.ts';
import { createApi, submitForm } from '../support/api.ts';
import type { RunningGateway } from '../support/running.ts';
import { openReceiver } from '../webhooks/receiver.ts';

export type EuroPayment = {
  asset: string;
  /** What 49.90 EUR are in it at the rates of the demo. */
  due: string;
  /** Pays it on the network. */
  send: (address: string, memo: string | null) => Promise<unknown>;
  /** Where the refund goes. */
  to: string;
};

/** A live payment of 49.90 EUR from the choice of its customer to the webhook, and a refund of 10 EUR of it. */
export async function payInEuros(
  gateway: RunningGateway,
  { asset, due, send, to }: EuroPayment,
): Promise<void> {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  await gateway.liveApi('POST', '/webhook-endpoints', { body: { url: receiver.url } });
  const price = { price: { amount: 49.9, currency: 'EUR' }, amount: undefined, currency: undefined };
  const { reference, url } = await createLive(gateway, price);
  expect(await stateOf(url)).toMatchObject({ amount: '49.9', amount_due: null, destinations: [] });
  await submitForm(url, 'method', { asset });
  const { address, memo, amount } = await destinationOf(url);
  expect(amount).toBe(due);
  await send(address, memo);
  const { body } = await receiver.next((each) => each.body.event_type === 'payment_completed', 'the payment');
  expect(body).toMatchObject({
    ...{ payment_reference: reference, amount: 49.9, currency: 'EUR', service_fee: 0.5 },
    ...{ paid_asset: asset, paid_amount: due, rate: '0.8' },
  });
  const api = createApi(gateway.demo.base_url, gateway.demo.payout_keys!.live!);
  const made = await api<{ asset: string; amount: string }>('POST', `/payments/${reference}/refunds`, {
    body: { price_amount: '10', to },
  });
  expect(made.body.data).toMatchObject({ asset, amount: '12.5' });
  expect(await auditFindingsOf(gateway)).toEqual([]);
}
