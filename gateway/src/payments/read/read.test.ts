import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop, payUrl, report, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { Refusal } from '../../kit/errors.ts';
import { encodeCursor } from '../../kit/http/cursor.ts';
import { type ListQuery, readListQuery } from '../create/schema.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, linkPayment } from '../settlement/act.ts';
import { describePayment, findOwnPayment, listPayments } from './read.ts';

const someId = '00000000-0000-7000-8000-000000000000';

const { db } = await testDatabase();

let shop: Shop;
beforeEach(async () => {
  shop = await openShop(db);
});

describe('a payment', () => {
  test('is found by the integration and the mode that made it', async () => {
    const payment = await shop.create();
    expect(await findOwnPayment(db, shop.owner, payment.reference)).toEqual(payment);
  });

  test('of a stranger, or of the other mode, is as unknown as one that does not exist', async () => {
    const { reference } = await shop.create();
    const stranger = await openShop(db);
    const otherMode = { ...shop.owner, mode: 'live' as const };
    await expect(findOwnPayment(db, stranger.owner, reference)).rejects.toThrow('Not found');
    await expect(findOwnPayment(db, otherMode, reference)).rejects.toThrow('Not found');
    await expect(findOwnPayment(db, shop.owner, 'unknown')).rejects.toThrow('Not found');
  });

  test('is described with all that came for it and how it came to its status', async () => {
    const payment = await shop.create({ fee_payer: 'customer', meta_data: '{"order":7}' });
    await write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, 'usdc-bep20'));
    shop.clock.advance(60);
    await report(shop, payment, { key: 'described', units: 5n * 10n ** 17n, asset: 'usdc-bep20' });
    const own = await findOwnPayment(db, shop.owner, payment.reference);
    const found = await describePayment(db, { assets: shop.assets, explorers: new Map() }, own, payUrl);
    expect(found).toMatchObject({
      id: payment.id,
      payment_reference: payment.reference,
      payment_status: 'pending',
      reason: null,
      amount: '10',
      amount_due: '10.1',
      service_fee: '0.1',
      amount_received: '0.5',
      fee_payer: 'customer',
      meta_data: '{"order":7}',
      refunds: [],
      PaymentURL: `${payUrl}?reference=${payment.reference}&app=${payment.integrationId}&token=${payment.token}`,
    });
    expect(found.transfers).toEqual([
      {
        transaction: 'test_described',
        asset: 'usdc-bep20',
        amount: '0.5',
        confirmations: 3,
        needed: 3,
        state: 'final',
        network: 'BNB Smart Chain',
        sender: null,
        transaction_url: null,
        sender_url: null,
      },
    ]);
    const [start, end] = [payment.createdAt.toISOString(), shop.clock.now().toISOString()];
    expect(found.timeline).toEqual([
      { at: start, status: 'unlinked', reason: null },
      { at: start, status: 'linked', reason: null },
      { at: end, status: 'pending', reason: null },
    ]);
  });
});

describe('a list', () => {
  let many: Shop;
  let all: Payment[];
  const list = (query: ListQuery) => listPayments(db, many.owner, query, payUrl);
  const references = async (query: Record<string, string>) =>
    (await list(readListQuery(query))).items.map((item) => item.payment_reference);

  beforeAll(async () => {
    many = await openShop(db);
    // Several payments share each of the times, so that a page may end among them.
    for (let hour = 0; hour < 5; hour++) {
      const customer_reference = `customer-${hour % 2}`;
      const currency = hour % 2 === 0 ? 'PI' : 'USDT';
      await Promise.all(Array.from({ length: 7 }, () => many.create({ customer_reference, currency })));
      many.clock.advance(3600);
    }
    all = await Promise.all(
      (await list({ limit: 100 })).items.map((item) =>
        findOwnPayment(db, many.owner, item.payment_reference),
      ),
    );
    await write(many, (tx) => cancelPayment(tx, many.deps, all[3]!.id, 'customer'));
  });

  test('shows the newest first, twenty unless asked otherwise', async () => {
    expect(all).toHaveLength(35);
    const { items, next_cursor } = await list({});
    expect(items.map(({ id }) => id)).toEqual(all.slice(0, 20).map(({ id }) => id));
    expect(next_cursor).not.toBeNull();
    const times = all.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('walked page by page gives every payment exactly once, in order, whatever the pages are', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(sizes, async (limits) => {
        const seen: string[] = [];
        let cursor: string | null = null;
        let page = 0;
        do {
          const limit = limits[page++ % limits.length]!;
          const { items, next_cursor }: Awaited<ReturnType<typeof list>> = await list(
            cursor === null ? { limit } : { limit, cursor },
          );
          expect(items.length).toBeLessThanOrEqual(limit);
          seen.push(...items.map(({ id }) => id));
          cursor = next_cursor;
        } while (cursor !== null);
        expect(seen).toEqual(all.map(({ id }) => id));
      }),
      { numRuns: 30 },
    );
  });

  test('does not repeat or skip a payment when new ones come between two pages', async () => {
    const first = await listPayments(db, shop.owner, { limit: 2 }, payUrl);
    expect(first).toEqual({ items: [], next_cursor: null });
    const old = [await shop.create(), await shop.create(), await shop.create()];
    const page = await listPayments(db, shop.owner, { limit: 2 }, payUrl);
    shop.clock.advance(1);
    await shop.create();
    const next = await listPayments(db, shop.owner, { limit: 2, cursor: page.next_cursor! }, payUrl);
    expect([...page.items, ...next.items].map(({ id }) => id).toSorted()).toEqual(
      old.map(({ id }) => id).toSorted(),
    );
    expect(next.next_cursor).toBeNull();
  });

  test('is filtered by status, currency and customer, and by all of them together', async () => {
    const cancelled = all[3]!;
    expect(await references({ status: 'cancelled' })).toEqual([cancelled.reference]);
    expect(await references({ currency: 'USDT' })).toHaveLength(14);
    expect(await references({ customer_reference: 'customer-0', limit: '100' })).toHaveLength(21);
    expect(await references({ customer_reference: 'nobody' })).toEqual([]);
    const { currency, customerReference } = cancelled;
    const filter = { status: 'cancelled', currency: currency!, customer_reference: customerReference! };
    expect(await references(filter)).toEqual([cancelled.reference]);
    expect(await references({ ...filter, currency: 'CSK' })).toEqual([]);
  });

  test('of a span begins at `from` and ends before `to`', async () => {
    const [from, to] = [all[20]!.createdAt.toISOString(), all[0]!.createdAt.toISOString()];
    const inside = all.filter(({ createdAt }) => createdAt >= new Date(from) && createdAt < new Date(to));
    expect(inside).toHaveLength(14);
    expect(await references({ from, to })).toEqual(inside.map(({ reference }) => reference));
  });

  test.each([
    '2026',
    '2026-03',
    '2026-03-01T12:00+02:00',
    'March 7',
    '1',
    'Sun Mar 01 2026',
    '+275760-01-01',
  ])('of a span from %j gives a page or a refusal, never a fault', async (from) => {
    expect(await references({ from }).catch(refusalMessage)).toBeDefined();
  });

  test.each([
    ['nonsense'],
    [encodeCursor([1])],
    [encodeCursor([1_772_366_400_000, '-'.repeat(36)])],
    [encodeCursor([1_772_366_400_000, 'f'.repeat(36)])],
    [encodeCursor(['1'.repeat(20), someId])],
  ])('refuses the cursor %s, which it never gave out', async (cursor) => {
    const refusal = 'cursor is invalid: must be the next_cursor of the page before';
    expect(await list({ cursor }).catch(refusalMessage)).toBe(refusal);
  });

  test('after the latest time that a cursor can name is the whole list', async () => {
    const { items } = await list({ limit: 100, cursor: encodeCursor([999_999_999_999_999, someId]) });
    expect(items).toHaveLength(35);
  });

  test("holds neither a stranger's payments nor those of the other mode", async () => {
    const otherMode = { ...many.owner, mode: 'live' as const };
    for (const owner of [shop.owner, otherMode]) {
      expect(await listPayments(db, owner, {}, payUrl)).toEqual({ items: [], next_cursor: null });
    }
  });
});

/** What a client is told; a fault of ours stays one. */
function refusalMessage(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}
