import { beforeEach, describe, expect, test } from 'vitest';
import { seedPerson } from '../../test/notices/person.ts';
import { testDatabase } from '../../test/support/database.ts';
import { noHints, testClock, testSeal } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import type { EventInput, PayoutEventInput } from '../webhooks/events/body.ts';
import { recordEvents, recordPayoutEvents } from '../webhooks/events/outbox.ts';
import { type Choices, writeChoices } from './choices.ts';
import { type LackingPrices, writeDays } from './day.ts';
import type { DayFacts } from './day-facts.ts';
import { followChoices } from './follow.ts';
import { lockPerson, setTerms } from './people.ts';
import { nextDailyHour } from './times.ts';

const { db } = await testDatabase();
const clock = testClock(new Date('2026-03-27T12:00:00Z'));
/** Of each payment of a price that was completed short, 5 cents did not come. */
const lackingPrices: LackingPrices = async (_, ids) =>
  ids.length === 0 ? [] : [{ currency: 'EUR' as PriceCurrency, units: 5n * BigInt(ids.length) }];
const deps = { db, hints: noHints, seal: testSeal, lackingPrices, now: clock.now };
const nothing: Choices = { mail: [], day: [], telegram: [], push: [] };
let who: Awaited<ReturnType<typeof seedPerson>>;

beforeEach(async () => {
  who = await seedPerson(db);
});

async function choose(choices: Partial<Choices>): Promise<void> {
  await transaction(db, async (tx) => {
    await lockPerson(tx, who.accountId);
    await setTerms(tx, who.accountId, { language: null, timeZone: 'Europe/Berlin', hour: 8 });
    await writeChoices(tx, who.owner, who.accountId, { ...nothing, ...choices });
    await followChoices(tx, deps, who.accountId, { now: clock.now() });
  });
}

let made = 0;

async function happen(
  type: EventInput['type'],
  more: Partial<EventInput['payment']> = {},
  paid?: EventInput['paid'],
): Promise<void> {
  made += 1;
  const payment = {
    ...{
      id: crypto.randomUUID(),
      reference: `order-${made}`,
      currency: 'USDC',
      amount: 10.25,
      status: 'completed',
    },
    ...{ serviceFee: 0, customerEmail: null, customerReference: null, ...more },
  };
  await transaction(db, (tx) =>
    recordEvents(tx, noHints, [
      { ...who.owner, type, sequence: 1, at: clock.now(), payment, ...(paid && { paid }) },
    ]),
  );
}

async function payOut(type: PayoutEventInput['type'], amount: string): Promise<void> {
  const payout = {
    ...{ id: crypto.randomUUID(), reference: null, purpose: 'merchant_payout', asset: 'usdc-erc20' },
    ...{ amount, fee: '0', to: '0x1', memo: null, status: 'completed', transaction: null },
  };
  const event = { ...who.owner, type, sequence: 1, at: clock.now(), payout };
  await transaction(db, (tx) => recordPayoutEvents(tx, noHints, [event]));
}

/** What was told of days so far. */
async function told(): Promise<DayFacts[]> {
  const { rows } = await db.query<{ body: string }>(
    "SELECT e.body FROM events e WHERE e.type = 'notice_day' AND e.integration_id = $1 ORDER BY e.seq",
    [who.owner.integrationId],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

const hourSeconds = 3600;

async function pass(hours: number): Promise<void> {
  clock.advance(hours * hourSeconds);
  await writeDays(deps);
}

describe('the next hour of a day', () => {
  test.each([
    ['2026-03-27T12:00:00Z', '2026-03-28T07:00:00Z'],
    // The night in which Berlin loses an hour.
    ['2026-03-28T12:00:00Z', '2026-03-29T06:00:00Z'],
    ['2026-03-29T05:59:59Z', '2026-03-29T06:00:00Z'],
    ['2026-03-29T06:00:00Z', '2026-03-30T06:00:00Z'],
    ['2026-10-24T12:00:00Z', '2026-10-25T07:00:00Z'],
  ])('after %s is %s at eight in Berlin', async (from, next) => {
    const at = await nextDailyHour(db, { timeZone: 'Europe/Berlin', hour: 8 }, new Date(from));
    expect(at).toEqual(new Date(next));
  });
});

describe('a mail by day', () => {
  test('comes at the hour in the zone of the person, once, with what happened since the one before', async () => {
    await choose({ day: ['paid', 'failed'] });
    await happen('payment_completed');
    await happen('payment_completed');
    await happen('payment_in_appeal');
    await writeDays(deps);
    expect(await told()).toEqual([]);
    await pass(24);
    await writeDays(deps);
    expect(await told()).toEqual([
      expect.objectContaining({
        counts: [
          {
            ...{ kind: 'paid', count: 2, totals: [{ currency: 'USDC', amount: '20.5' }] },
            references: [`order-${made - 2}`, `order-${made - 1}`],
          },
          { kind: 'failed', count: 0, totals: [], references: [] },
        ],
      }),
    ]);
    await happen('payment_failed');
    await pass(24);
    // Of what failed nothing came in, so it has no sum.
    expect((await told())[1]?.counts).toMatchObject([{ count: 0 }, { count: 1, totals: [] }]);
  });

  test('counts of a short payment what came', async () => {
    await choose({ day: ['paid'] });
    await happen('payment_completed', { shortAmount: '10.2' });
    await pass(24);
    expect((await told())[0]?.counts).toMatchObject([{ count: 1, totals: [{ amount: '10.2' }] }]);
  });

  test('counts of the price of a short payment what came of it', async () => {
    await choose({ day: ['paid'] });
    const paid = { asset: 'usdc-erc20', amount: '12.5', fee: '0.125', rate: '0.8' };
    await happen('payment_completed', { currency: 'EUR', amount: 10 }, paid);
    await happen('payment_completed', { currency: 'EUR', amount: 10, shortAmount: '12.4375' }, paid);
    await pass(24);
    expect((await told())[0]?.counts).toMatchObject([
      { count: 2, totals: [{ currency: 'EUR', amount: '19.95' }] },
    ]);
  });

  test('tells of what has only just happened a day later: its number may be older than that of what is still written', async () => {
    await choose({ day: ['paid'] });
    clock.advance(24 * hourSeconds);
    await happen('payment_completed');
    await writeDays(deps);
    expect(await told()).toEqual([]);
    await pass(24);
    expect(await told()).toHaveLength(1);
  });

  test('says of payouts what was paid out, and counts those that failed', async () => {
    await choose({ day: ['payout_done'] });
    await payOut('payout_completed', '3');
    await payOut('payout_failed', '40');
    await pass(24);
    expect((await told())[0]?.counts).toMatchObject([
      { kind: 'payout_done', count: 2, totals: [{ currency: 'usdc-erc20', amount: '3' }] },
    ]);
  });

  test('does not come where nothing happened', async () => {
    await choose({ day: ['paid'] });
    await happen('payment_failed');
    await pass(24);
    await pass(24);
    expect(await told()).toEqual([]);
  });
});

describe('a summary', () => {
  test('counts everything, and lists nothing', async () => {
    await choose({ telegram: ['daily_summary'], day: ['daily_summary'] });
    await happen('payment_completed', { currency: 'PI', amount: 3 });
    await happen('payment_refunded');
    await pass(24);
    // Telegram is not linked.
    const [facts, ...others] = await told();
    expect(others).toEqual([]);
    expect(facts?.counts.filter(({ count }) => count > 0)).toEqual([
      { kind: 'paid', count: 1, totals: [{ currency: 'PI', amount: '3' }], references: [] },
      { kind: 'refunded', count: 1, totals: [{ currency: 'USDC', amount: '10.25' }], references: [] },
    ]);
  });

  test('of a day on which nothing happened comes only where it was chosen', async () => {
    await choose({ day: ['daily_summary'] });
    await pass(24);
    expect(await told()).toEqual([]);
    await choose({ day: ['daily_summary', 'quiet_summary'] });
    await pass(24);
    expect(await told()).toHaveLength(1);
  });

  test('does not come to somebody who left the team', async () => {
    await choose({ day: ['daily_summary'] });
    await happen('payment_completed');
    await db.query('DELETE FROM members WHERE account_id = $1', [who.accountId]);
    await pass(24);
    expect(await told()).toEqual([]);
  });

  test('comes once, where two processes tell days at the same time', async () => {
    await choose({ day: ['daily_summary'] });
    await happen('payment_completed');
    clock.advance(24 * hourSeconds);
    await Promise.all([writeDays(deps), writeDays(deps), writeDays(deps)]);
    expect(await told()).toHaveLength(1);
  });
});
