import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFile } from '../../gateway/src/demo/seed.ts';
import { type Client, openClient, Refused } from './client.ts';
import { followPage } from './page.ts';
import type { Tally } from './tally.ts';

/** What was ordered and answered 200: all of it has to be there in the end, each once. */
export type Ordered = {
  payments: string[];
  refunds: string[];
  payouts: string[];
  /** How often a user was funded, each time by `fundedUnits`. */
  fundings: number;
  /** Pages that were followed until they said that all is paid, and how often such a stream was opened anew. */
  pages: number;
  reopened: number;
};

export type Shop = {
  ordered: Ordered;
  client: Client;
  /** Plays the order with this number from its creation to its end. Faults are counted, and end it. */
  order(n: number): Promise<void>;
};

/** Of USDC, which has six decimals. */
export const fundedUnits = 10_000n;
const hesitantMs = 20_000;
const patientWaitMs = 600_000;
const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

export type ShopOptions = { tally: Tally; prices: boolean; isPatient?: boolean };

/** A shop that speaks plain HTTP to a balancer or to gateways in turn, with the keys of the demo. */
export function openShop(
  urls: readonly string[],
  demo: DemoFile,
  { tally, prices, isPatient = false }: ShopOptions,
): Shop {
  const client = openClient(urls, demo.secret_key, { tally, isPatient });
  const { call, write } = client;
  const payoutKey = demo.payout_keys?.test ?? '';
  const ordered: Ordered = {
    ...{ payments: [], refunds: [], payouts: [], fundings: 0, pages: 0, reopened: 0 },
  };

  async function play(n: number): Promise<void> {
    const reference = `ORDER-${n}`;
    const isPriced = prices && n % 3 === 0;
    const price = isPriced ? { price: { amount: '10.00', currency: 'EUR' } } : { amount: 12.5 };
    const currency = isPriced && n % 6 === 0 ? {} : { currency: 'USDC' };
    const created = (await write(n, '/payment/create', {
      ...{ method: 'PUT', idempotencyKey: `create-${n}` },
      body: { ...price, ...currency, payment_type: 'deposit', payment_reference: reference },
    })) as { PaymentURL: string };
    ordered.payments.push(reference);
    const page = n % 2 === 0 ? await openPage(created.PaymentURL, n) : null;
    // Some customers take their time, so that streams are open while a gateway ends.
    if (n % 16 === 0) await sleep(hesitantMs);
    await write(n, `/test/payments/${reference}/simulate`, {
      ...{ method: 'POST', idempotencyKey: `simulate-${n}`, body: { outcome: 'success' } },
    });
    const info = (await call(`/payment/info/${reference}`, {})) as { payment_status: string };
    if (info.payment_status !== 'completed')
      tally.wrong(`${reference} is ${info.payment_status} after it was paid`);
    await page?.();
    if (n % 5 === 0) await refund(n, reference);
    if (n % 4 === 1 || n % 8 === 0) await fund(n);
    if (n % 6 === 2 || n % 12 === 4) await payOut(n);
  }

  /** Reads the page and opens its stream; what is returned waits until the stream says that all is paid. */
  async function openPage(pageUrl: string, n: number): Promise<() => Promise<void>> {
    await client.readPage(pageUrl);
    // Each customer has an address of their own.
    const customer = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    const followed = followPage(pageUrl, customer, {
      ...{ tally, isPatient },
      ...(isPatient && { waitMs: patientWaitMs }),
    });
    return async () => {
      const { fault, opened } = await followed;
      if (fault !== null) tally.wrong(`the stream of ORDER-${n}: ${fault}`);
      ordered.pages++;
      ordered.reopened += opened - 1;
    };
  }

  async function refund(n: number, reference: string): Promise<void> {
    await write(n, `/payments/${reference}/refunds`, {
      ...{ method: 'POST', key: payoutKey, idempotencyKey: `refund-${n}` },
      body: { amount: '1', to: address },
    });
    ordered.refunds.push(reference);
  }

  async function fund(n: number): Promise<void> {
    await write(n, '/payment/fund-user', {
      ...{ method: 'POST', idempotencyKey: `fund-${n}` },
      body: { username: 'jane_doe', amount: 0.01, currency: 'usdc' },
    });
    ordered.fundings++;
  }

  async function payOut(n: number): Promise<void> {
    const payout_reference = `PAYOUT-${n}`;
    await write(n, '/payouts', {
      ...{ method: 'POST', key: payoutKey, idempotencyKey: `payout-${n}` },
      body: { asset: 'usdc-base', amount: '2', to: address, payout_reference },
    });
    ordered.payouts.push(payout_reference);
  }

  return {
    ordered,
    client,
    order: (n) =>
      play(n).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
      }),
  };
}

export type Load = { stop(): Promise<void> };

/** Requests of an order, over all kinds of orders. */
const requestsOfOrder = 5.2;

/** Begins orders at an even pace, whether earlier ones have ended or not. */
export function openLoad(shop: Shop, requestsPerSecond: number): Load {
  const under = new Set<Promise<void>>();
  let n = 0;
  const timer = setInterval(
    () => {
      const order = shop.order(++n).finally(() => under.delete(order));
      under.add(order);
    },
    (1000 * requestsOfOrder) / requestsPerSecond,
  );
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(under);
    },
  };
}
