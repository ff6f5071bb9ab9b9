import fc from 'fast-check';
import { expect, test } from 'vitest';

import { askPrice } from '../../../test/prices/priced-shop.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { endedOrWaiting, openShop, pass, report, type Shop } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from '../settlement/act.ts';
import { type Group, groupsOf, type Span } from './hours.ts';
import { lastDays } from './period.ts';

const { db } = await testDatabase();
const day = 24 * 3600;
const full = 10_000_000n;
/** What pays a price of the fixtures. */
const priced = 12_500_000n;

/** The days of a zone, and as long a time before them. */
function spansOf(shop: Shop, days: number, zone = 'UTC'): Span[] {
  const spans = lastDays(days, zone, shop.clock.now()).map(({ from, to }, index) => ({
    n: index + 1,
    from,
    to,
  }));
  const from = spans[0]?.from ?? shop.clock.now();
  return [{ n: 0, from: new Date(from.getTime() - days * day * 1000), to: from }, ...spans];
}

const nameOf = ({ status, currency, price_currency }: Group) => `${status} ${currency} ${price_currency}`;
const ordered = (groups: readonly Group[]): Group[] =>
  groups.toSorted((a, b) => a.n - b.n || nameOf(a).localeCompare(nameOf(b)));

const counted = async (shop: Shop, spans: readonly Span[]): Promise<Group[]> =>
  ordered(await groupsOf(db, shop.owner, spans, shop.clock.now()));

/** The same, payment by payment. */
async function recounted({ owner }: Shop, spans: readonly Span[]): Promise<Group[]> {
  const { rows } = await db.query<Group>(
    `SELECT s.n, p.status, p.currency, p.price_currency, count(*)::integer AS count,
       coalesce(sum(p.amount) FILTER (WHERE p.status = 'completed'), 0) AS units,
       coalesce(sum(p.price_amount) FILTER (WHERE p.status = 'completed'), 0) AS price_units
     FROM unnest($3::integer[], $4::timestamptz[], $5::timestamptz[]) AS s (n, since, until)
     JOIN payments p ON p.integration_id = $1 AND p.mode = $2 AND p.created_at >= s.since AND p.created_at < s.until
     GROUP BY s.n, p.status, p.currency, p.price_currency`,
    [
      owner.integrationId,
      owner.mode,
      ...(['n', 'from', 'to'] as const).map((key) => spans.map((s) => s[key])),
    ],
  );
  return ordered(rows);
}

type Step = { wait: number } & (
  | { kind: 'create'; currency: string; isPriced: boolean }
  | { kind: 'pay'; which: number; units: bigint }
  | { kind: 'look'; days: number; zone: string }
);
const wait = fc.constantFrom(0, 600, 1_900, 3_600, 20_000, day, 3 * day);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    wait,
    kind: fc.constant('create' as const),
    currency: fc.constantFrom('USDC', 'PI'),
    isPriced: fc.boolean(),
  }),
  fc.record({
    wait,
    kind: fc.constant('pay' as const),
    which: fc.nat(9),
    units: fc.constantFrom(full, full / 2n, priced),
  }),
  fc.record({
    wait,
    kind: fc.constant('look' as const),
    days: fc.constantFrom(1, 7, 30),
    zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/St_Johns'),
  }),
);

test('what is kept of hours is what their payments come to, whatever happens to them later', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      // Later than the database's own time, so that each change is as old as the shop says.
      const shop = await openShop(db, {}, { clock: testClock(new Date('2050-03-12T05:00:00Z')) });
      const payments: Payment[] = [];
      for (const [index, each] of steps.entries()) {
        await pass(shop, each.wait);
        if (each.kind === 'create') {
          const { currency, isPriced } = each;
          payments.push(await (isPriced ? askPrice(shop, { currency }) : shop.create({ currency })));
        }
        if (each.kind === 'pay' && payments.length > 0) {
          const payment = payments[each.which % payments.length] as Payment;
          await report(shop, payment, { key: `${shop.owner.integrationId} ${index}`, units: each.units });
        }
        if (each.kind !== 'look') continue;
        const spans = spansOf(shop, each.days, each.zone);
        expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
      }
    }),
    { numRuns: 15 },
  );
});

async function paid(shop: Shop, key: string): Promise<Payment> {
  const payment = await shop.create();
  await report(shop, payment, { key, units: full });
  return payment;
}

test('an hour that is over for two days is counted once, and again after a change', async () => {
  const shop = await openShop(db);
  const payment = await paid(shop, 'once');
  await pass(shop, 3 * day);
  const spans = spansOf(shop, 7);
  const before = await counted(shop, spans);
  expect(before).toEqual(await recounted(shop, spans));
  // Behind the back of the statement that writes payments.
  await db.query("UPDATE payments SET currency = 'CSK' WHERE id = $1", [payment.id]);
  expect(await counted(shop, spans)).toEqual(before);
  await transaction(db, (tx) => disputePayment(tx, shop.deps, payment.id, 'It has not come'));
  expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
});

test('an hour that the version before has kept, which knows no prices, is counted again', async () => {
  const shop = await openShop(db);
  const payment = await askPrice(shop, { currency: 'USDC' });
  await report(shop, payment, { key: 'priced', units: priced });
  await pass(shop, 3 * day);
  const spans = spansOf(shop, 7);
  const counts = await recounted(shop, spans);
  expect(counts).toMatchObject([
    { currency: 'USDC', units: priced, price_currency: 'EUR', price_units: 1_000n },
  ]);
  expect(await counted(shop, spans)).toEqual(counts);
  await db.query(
    `UPDATE payment_hours SET changes = 1, counts = '{7}', statuses = '{completed}', currencies = '{USDC}', units = '{5}'
     WHERE integration_id = $1 AND statuses <> '{}'`,
    [shop.owner.integrationId],
  );
  await db.query(
    `INSERT INTO payment_hour_changes
     SELECT integration_id, mode, hour FROM payment_hours WHERE integration_id = $1 AND statuses <> '{}'`,
    [shop.owner.integrationId],
  );
  for (const _ of [1, 2]) expect(await counted(shop, spans)).toEqual(counts);
});

test('a change that is committed while its hour is counted is not lost', async () => {
  const shop = await openShop(db);
  const payment = await paid(shop, 'raced');
  await pass(shop, 3 * day);
  const spans = spansOf(shop, 7);
  let counting: Promise<Group[]> = Promise.resolve([]);
  await transaction(db, async (tx) => {
    await disputePayment(tx, shop.deps, payment.id, 'It has not come');
    counting = counted(shop, spans);
    await endedOrWaiting(db, counting);
  });
  await counting;
  expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
});
