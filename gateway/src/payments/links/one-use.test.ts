import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  noRail,
  openShop,
  pass,
  paymentById,
  payUrl,
  report,
  type Shop,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { Refusal } from '../../kit/errors.ts';
import { type CreatePayment, createPaymentCreator } from '../create/create.ts';
import { readCreateBody } from '../create/schema.ts';
import { testRates } from '../payment/amount.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, disputePayment, linkPayment } from '../settlement/act.ts';
import { mostWaiting } from './admit.ts';
import type { PaymentLink } from './link.ts';
import { insertLink, setActive } from './links.ts';
import { readLinkBody } from './schema.ts';

const { db } = await testDatabase();
const due = 10_000_000n;

const creatorOf = ({ clock }: Shop): CreatePayment =>
  createPaymentCreator({ db, now: clock.now, rates: testRates, payUrl, rail: noRail });

const makeLink = (shop: Shop, input: Record<string, unknown> = {}): Promise<PaymentLink> =>
  write(shop, (tx) => {
    const now = shop.clock.now();
    const body = readLinkBody({ title: 'A chair', currency: 'USDC', amount: 10, ...input }, now);
    return insertLink(tx, shop.owner, body, now);
  });

/** Makes a payment by the link; the slug of the refusal where it is refused. */
async function use(shop: Shop, link: PaymentLink, create = creatorOf(shop)): Promise<Payment | string> {
  const body = readCreateBody({ amount: 10, currency: 'USDC', payment_type: 'deposit' });
  try {
    const { body: answer } = await create(shop.caller, body, null, link);
    return await paymentById(db, JSON.parse(answer).data.PaymentData.id);
  } catch (error) {
    if (error instanceof Refusal) return error.row.slug;
    throw error;
  }
}

const isMade = (made: Payment | string): made is Payment => typeof made !== 'string';

test('of payments that are made at once by a one-use link, by several gateways, one is made', async () => {
  const shop = await openShop(db);
  const link = await makeLink(shop, { one_use: true });
  // Each has batches of its own, as each gateway has.
  const gateways = [creatorOf(shop), creatorOf(shop), creatorOf(shop)];
  const made = await Promise.all([...gateways, ...gateways].map((create) => use(shop, link, create)));
  expect(made.filter(isMade)).toHaveLength(1);
  expect(made.filter((each) => each === 'link_taken')).toHaveLength(5);
});

test('a payment that nobody paid leaves the link to the next one, and money for it then waits for a person', async () => {
  const shop = await openShop(db);
  const link = await makeLink(shop, { one_use: true });
  const first = (await use(shop, link)) as Payment;
  await pass(shop, 601);
  expect(await statusOf(shop, first)).toBe('cancelled abandoned');
  const second = (await use(shop, link)) as Payment;
  await report(shop, first, { key: 'late', units: due });
  expect(await statusOf(shop, first)).toBe('in-appeal paid_after_end');
  await report(shop, second, { key: 'second', units: due });
  expect(await statusOf(shop, second)).toBe('completed');
  expect(await use(shop, link)).toBe('link_ended');
});

test('a stopped or expired link takes no payment, and one that runs on again does', async () => {
  const shop = await openShop(db);
  const expires = new Date(shop.clock.now().getTime() + 60_000).toISOString();
  const link = await makeLink(shop, { expires_at: expires });
  await write(shop, (tx) => setActive(tx, link, false, shop.clock.now()));
  expect(await use(shop, link)).toBe('link_ended');
  await write(shop, (tx) => setActive(tx, link, true, shop.clock.now()));
  expect(isMade(await use(shop, link))).toBe(true);
  shop.clock.advance(60);
  expect(await use(shop, link)).toBe('link_ended');
});

test(`at most ${mostWaiting} payments of a link wait for their customers`, async () => {
  const shop = await openShop(db);
  const link = await makeLink(shop);
  const create = creatorOf(shop);
  const made = await Promise.all(Array.from({ length: mostWaiting + 3 }, () => use(shop, link, create)));
  expect(made.filter(isMade)).toHaveLength(mostWaiting);
  expect(await use(shop, link)).toBe('link_full');
  const [one] = made.filter(isMade);
  await write(shop, (tx) => cancelPayment(tx, shop.deps, one!.id, 'customer'));
  expect(isMade(await use(shop, link))).toBe(true);
});

type Act = 'use' | 'choose' | 'see' | 'pay' | 'lose' | 'cancel' | 'dispute' | 'wait';
const acts = fc.array(
  fc.record({
    act: fc.constantFrom<Act>(
      'use',
      'use',
      'choose',
      'see',
      'pay',
      'pay',
      'lose',
      'cancel',
      'dispute',
      'wait',
    ),
    who: fc.nat(3),
    seconds: fc.constantFrom(60, 601, 4_000, 100_000),
  }),
  { minLength: 4, maxLength: 14 },
);

test('no order of events completes two payments of a one-use link', async () => {
  const runs = process.env.SOAK ? 500 : 10;
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      const shop = await openShop(db);
      const link = await makeLink(shop, { one_use: true });
      const made: Payment[] = [];
      for (const { act, who, seconds } of list) {
        const payment = made[who % Math.max(made.length, 1)];
        if (act === 'use') {
          const next = await use(shop, link);
          if (isMade(next)) made.push(next);
        } else if (act === 'wait') await pass(shop, seconds);
        else if (payment) await happen(shop, act, payment);
        const now = await Promise.all(made.map(({ id }) => paymentById(db, id)));
        expect(now.filter(({ completedAt }) => completedAt !== null).length).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: runs, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  );
}, 900_000);

async function happen(shop: Shop, act: Exclude<Act, 'use' | 'wait'>, payment: Payment): Promise<void> {
  const refused = (error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  };
  const { deps } = shop;
  const { id } = payment;
  if (act === 'choose') await write(shop, (tx) => linkPayment(tx, deps, id, 'usdc-erc20')).catch(refused);
  if (act === 'cancel') await write(shop, (tx) => cancelPayment(tx, deps, id, 'customer')).catch(refused);
  if (act === 'dispute')
    await write(shop, (tx) => disputePayment(tx, deps, id, 'Nothing came')).catch(refused);
  const states = { see: 'seen', pay: 'final', lose: 'gone' } as const;
  if (act in states) {
    const state = states[act as keyof typeof states];
    await report(shop, payment, { key: id, units: due, state });
  }
}
