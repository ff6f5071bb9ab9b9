import fc from 'fast-check';
import { expect, test } from 'vitest';

import { askPrice } from '../../../test/prices/priced-shop.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { openShop, pass, report, type Shop } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from '../settlement/act.ts';
import { createTotals } from './add-up.ts';
import { type Group, groupsOf } from './groups.ts';
import { lastDays } from './period.ts';
import type { Span } from './pieces.ts';

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
  ordered(await groupsOf(db, shop.owner, spans));

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

/** After each step the sums of some days of a zone are compared. */
type Step = { wait: number; days: number; zone: string } & (
  | { kind: 'create'; currency: string; isPriced: boolean }
  | { kind: 'pay'; which: number; units: bigint }
  | { kind: 'add up'; few: number; killedAfter: number | null }
);
const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.record({
      wait: fc.constantFrom(0, 600, 3_600, 20_000, day, 2 * day),
      days: fc.constantFrom(1, 7, 30),
      zone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Auckland'),
    }),
    fc.oneof(
      fc.record({
        kind: fc.constant('create' as const),
        currency: fc.constantFrom('USDC', 'PI'),
        isPriced: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('pay' as const),
        which: fc.nat(9),
        units: fc.constantFrom(full, full / 2n, priced),
      }),
      fc.record({
        kind: fc.constant('add up' as const),
        few: fc.constantFrom(0, 0, 1),
        killedAfter: fc.option(fc.nat(12)),
      }),
    ),
  )
  .map(([when, what]) => ({ ...when, ...what }));

// Adding up fails at its statement of which `deaths` is the number: what its transaction did is undone, as by a kill.
await db.query(`
  CREATE SEQUENCE deaths MINVALUE -100;
  CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('deaths') = 0 THEN RAISE EXCEPTION 'It has died'; END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER dies AFTER INSERT OR UPDATE ON payment_totals FOR EACH STATEMENT EXECUTE FUNCTION die();
  CREATE TRIGGER dies AFTER INSERT OR UPDATE ON payment_totals_until FOR EACH STATEMENT EXECUTE FUNCTION die();
  CREATE TRIGGER dies AFTER DELETE ON payment_late_changes FOR EACH STATEMENT EXECUTE FUNCTION die()`);

const addUp = async (shop: Shop, few = 0, killedAfter: number | null = null): Promise<void> => {
  await db.query("SELECT setval('deaths', $1)", [killedAfter === null ? 1 : -1 - killedAfter]);
  const adding = createTotals(db, () => shop.clock.now(), few)();
  await (killedAfter === null ? adding : adding.catch(() => undefined));
};

test('what is added up is what payments come to, whatever happens to them later, and whenever adding up is killed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
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
        if (each.kind === 'add up') await addUp(shop, each.few, each.killedAfter);
        const spans = spansOf(shop, each.days, each.zone);
        expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
      }
    }),
    { numRuns: 8 },
  );
});

async function paid(shop: Shop, key: string): Promise<Payment> {
  const payment = await shop.create();
  await report(shop, payment, { key, units: full });
  return payment;
}

test('a day that is over is counted once, and again after a change', async () => {
  const shop = await openShop(db);
  const payment = await paid(shop, 'once');
  await pass(shop, 3 * day);
  await addUp(shop);
  const spans = spansOf(shop, 7);
  const before = await counted(shop, spans);
  expect(before).toEqual(await recounted(shop, spans));
  // Behind the back of the trigger that notes changes.
  await transaction(db, async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query("UPDATE payments SET currency = 'CSK' WHERE id = $1", [payment.id]);
  });
  expect(await counted(shop, spans)).toEqual(before);
  await transaction(db, (tx) => disputePayment(tx, shop.deps, payment.id, 'It has not come'));
  expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
  await addUp(shop);
  const { rowCount } = await db.query('SELECT FROM payment_late_changes WHERE integration_id = $1', [
    shop.owner.integrationId,
  ]);
  expect(rowCount).toBe(0);
  expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
});

test('a change that is committed while its day is added up is not lost', async () => {
  const shop = await openShop(db);
  const payment = await paid(shop, 'raced');
  await pass(shop, 3 * day);
  const spans = spansOf(shop, 7);
  for (const text of ['It has not come', 'It has not come yet']) {
    await transaction(db, async (tx) => {
      if (text === 'It has not come') await disputePayment(tx, shop.deps, payment.id, text);
      else await tx.query("UPDATE payments SET currency = 'CSK' WHERE id = $1", [payment.id]);
      await addUp(shop);
    });
    expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
    await addUp(shop);
    expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
  }
});

test('two processes that add up at once count nothing twice', async () => {
  const shop = await openShop(db);
  for (let index = 0; index < 8; index++) {
    await paid(shop, `both ${index}`);
    await pass(shop, 10 * 3_600);
  }
  await Promise.all([addUp(shop), addUp(shop)]);
  const spans = spansOf(shop, 7);
  expect(await counted(shop, spans)).toEqual(await recounted(shop, spans));
});
