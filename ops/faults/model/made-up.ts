import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { type Order, openJournal, type Payout } from '../parties/journal.ts';
import type { Arrival, Hex, Merchant } from '../world/world.ts';
import type { Case } from './judge.ts';
import type { Came, EventRead, PaymentRead, PayoutRead, Reading } from './reading.ts';
import { decimalOf, fineOf } from './units.ts';

// Histories that nobody lived, in which nothing is wrong: what a gateway that keeps its contract would have done.

export type MadeUp = Case & { reading: Reading; arrivals: Arrival[] };

/** An order that somebody paid in parts, in hundredths of what was due, and a payout. */
export type Drawn = { orders: { cents: number; parts: number[] }[]; payouts: number[] };

export const drawn: fc.Arbitrary<Drawn> = fc.record({
  orders: fc.array(
    fc.record({
      cents: fc.integer({ min: 500, max: 100_000 }),
      parts: fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  payouts: fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 3 }),
});

const run = 'R1-1-';
const secretKey = 'sk_live_made_up';
const secret = `whsec_${Buffer.from('made up').toString('base64')}`;
const vault = '0x00000000000000000000000000000000000000aa' as Hex;
const who = 'merchant-1 live';
const asset = 'usdc-bep20';
const beganMs = Date.parse('2026-11-30T10:00:00Z');
const deadline = '2026-11-30T11:00:00.000Z';
const finalAtMs = beganMs + 65_000;

/** Builds a history of what was drawn. */
export function makeUp({ orders, payouts }: Drawn): MadeUp {
  const arrivals: Arrival[] = [];
  const receiver = { endpointId: 'an endpoint', secret, arrivals };
  const keys = { secretKey, payoutKey: secretKey };
  const merchant: Merchant = {
    ...{ name: 'merchant-1', integrationId: 'an integration', person: { email: '', password: '' } },
    ownAsset: null,
    ...{
      keys: { live: keys, test: keys },
      receivers: { live: receiver, test: { ...receiver, arrivals: [] } },
    },
  };
  const chain = { tokens: {}, vault, finalDepth: 4 } as unknown as Case['world']['chain'];
  const journal = openJournal();
  const reading: Reading = {
    ...{ nowMs: beganMs + 600_000, payments: new Map(), payouts: new Map(), events: new Map([[who, []]]) },
    ...{ balances: new Map(), wallets: new Map(), came: [], held: new Map(), direct: null },
    books: null,
  };
  const made: MadeUp = {
    ...{ world: { merchants: [merchant], chain, wallets: null }, run, journal, reading, arrivals },
    before: { balances: new Map(), wallets: new Map(), direct: null, credited: new Map() },
  };
  let balance = fineOf('1000000');
  made.before.balances.set(who, new Map([[asset, { available: balance, held: 0n }]]));
  for (const [n, order] of orders.entries()) balance += addOrder(made, n, order);
  for (const [n, cents] of payouts.entries()) balance -= addPayout(made, n, cents);
  reading.balances.set(who, new Map([[asset, { available: balance, held: 0n }]]));
  return made;
}

const fineOfCents = (cents: number): bigint => BigInt(cents) * 10n ** 16n;

/** Returns what its merchant has of it. */
function addOrder(made: MadeUp, n: number, { cents, parts }: Drawn['orders'][number]): bigint {
  const { journal, reading } = made;
  const reference = `${run}${n}`;
  const address = `0x${`${n}`.padStart(40, '1')}`;
  const due = fineOfCents(cents);
  // Cents: one percent has no more than four decimals.
  const fee = due / 100n;
  const amount = decimalOf(due);
  const order: Order = {
    ...{ reference, merchant: 'merchant-1', mode: 'live', cancelled: null, isDisputed: false, outcome: null },
    asked: { amount, currency: 'USDC', price: null, feePayer: 'merchant' },
    ...{ ownAsset: null, id: null, askedMs: beganMs, shownMs: beganMs },
    ...{
      payer: null,
      outcomeMs: null,
      pageUrl: 'a page',
      places: new Map([[asset, { address, memo: null }]]),
    },
  };
  journal.orders.push(order);
  const came = parts.map((part): Came => {
    const fine = (due * BigInt(part)) / 100n;
    return { asset, from: 'a customer', to: address, memo: null, fine, atMs: beganMs + 60_000, block: 100 };
  });
  reading.came.push(...came);
  const sum = came.reduce((all, { fine }) => all + fine, 0n);
  const isPaid = sum >= due;
  const status = isPaid ? 'completed' : sum > 0n ? 'pending' : 'unlinked';
  reading.payments.set(reference, {
    ...{ payment_reference: reference, amount, currency: 'USDC', payment_status: status, reason: null },
    ...{ amount_due: amount, amount_received: decimalOf(sum), service_fee: decimalOf(fee), deadline },
    ...{ customer_reference: `order of ${reference}`, refunds: [] },
  } satisfies PaymentRead);
  const about = { payment_reference: reference, amount: Number(amount), currency: 'USDC' };
  const customer_reference = `order of ${reference}`;
  if (sum > 0n)
    addEvent(
      made,
      { ...about, customer_reference, event_type: 'payment_pending', payment_status: 'pending' },
      1,
    );
  if (!isPaid) return 0n;
  journal.completedAt.set(reference, 104);
  addEvent(
    made,
    { ...about, customer_reference, event_type: 'payment_completed', payment_status: status },
    2,
  );
  return due - fee;
}

/** Returns what it took. */
function addPayout(made: MadeUp, n: number, cents: number): bigint {
  const { journal, reading } = made;
  const reference = `${run}deed-${n}`;
  const to = `0x${`${n}`.padStart(40, '2')}`;
  const fine = fineOfCents(cents);
  const amount = decimalOf(fine);
  const payout: Payout = {
    ...{ reference, merchant: 'merchant-1', mode: 'live', id: `id of ${reference}`, asset, amount, to },
    isCancelled: false,
  };
  journal.payouts.push(payout);
  const read: PayoutRead = {
    ...{ id: payout.id, payout_reference: reference, status: 'completed', asset, amount, fee: '0', to },
  };
  reading.payouts.set(payout.id, read);
  reading.came.push({ asset, from: vault, to, memo: null, fine, atMs: finalAtMs, block: 101 });
  addEvent(
    made,
    { payout_reference: reference, event_type: 'payout_completed', payout_status: 'completed' },
    1,
  );
  return fine;
}

type Fields = { event_type: string; payment_reference?: string; payout_reference?: string };

/** Writes an event, and lets it arrive. */
export function addEvent(made: MadeUp, fields: Fields & Record<string, unknown>, sequence: number): void {
  const events: EventRead[] = made.reading.events.get(who) ?? [];
  const event_id = `event ${events.length + 1}`;
  const body = JSON.stringify({ event_id, ...fields });
  const { event_type, payment_reference = '', payout_reference = '' } = fields;
  events.push({ event_id, event_type, payment_reference, payout_reference, sequence, body });
  made.arrivals.push(arrivalOf(body, { event_id, sequence }));
}

/** A webhook as a gateway would send it. */
export function arrivalOf(
  body: string,
  { event_id, sequence }: { event_id: string; sequence: number },
): Arrival {
  const raw = Buffer.from(body);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const standard = createHmac('sha256', key).update(`${event_id}.1.`).update(raw).digest('base64');
  return {
    ...{ atMs: finalAtMs + 1_000, worldMs: finalAtMs + 1_000, raw, answered: 200 },
    headers: {
      'x-signature': createHmac('sha256', secretKey).update(raw).digest('base64'),
      ...{ 'x-event-id': event_id, 'webhook-id': event_id, 'webhook-timestamp': '1' },
      ...{ 'x-sequence': `${sequence}`, 'webhook-signature': `v1,${standard}` },
    },
  };
}
