// Every webhook is accepted by verifiers that others wrote, before, during and after its secrets were rolled.
import { afterAll, describe, expect, test, vi } from 'vitest';
import { rollKey, switchSigning } from '../src/identity/keys/key-changes.ts';
import { listKeys } from '../src/identity/keys/key-list.ts';
import { type Tx, transaction } from '../src/kit/db/db.ts';
import { eventTypes } from '../src/webhooks/events/event-types.ts';
import { testSeal } from './support/fixtures.ts';
import { startApp } from './support/running.ts';
import { type Case, caseOf, expectedOf, forgeriesOf, type Secrets } from './webhooks/cases.ts';
import { openReceiver, type Received } from './webhooks/receiver.ts';
import { isThere, libraries, needed, otherLanguages } from './webhooks/verifiers.ts';

// What a JSON writer, a header, a shell or a template might change on its way.
const oddTexts = [
  'Ünïcode ✓ 🪙 👩‍👩‍👧‍👦 \u{10ffff}',
  'مرحبا \u202eאבג\u202c',
  '"quotes" \'and\' \\backslashes\\ / \\u0041 \\n',
  'line\nreturn\rtab\t\u2028\u2029\u0001\u007f\ufeff',
  '</script><!-- & &amp; %20 #{x} {{x}} $(x) `x`',
  'e\u0301 é İ ß ﬁ \u200b\u00a0',
  '🪙'.repeat(127),
  ' leading and trailing ',
];
const oddAmounts = [1.1, 100.1, 2.0000001, 123456789012.345, 999999999999999, 1e14, 19.99];

const stranger: Secrets = {
  secretKey: `sk_test_${'0'.repeat(32)}`,
  endpointSecret: `whsec_${Buffer.alloc(32).toString('base64')}`,
};

const missing = needed.filter((command) => !isThere(command));
if (missing.length > 0) throw new Error(`This test needs ${missing.join(' and ')}: install them first`);
// A fee that JSON writes as 1e-7.
const seed = { fee: { bps: 0, fixed: '0.0000001' } };
const [app, shop] = await Promise.all([startApp({ seed }), openReceiver()]);
const body = { url: shop.url, events: eventTypes };
const endpoint = (await app.api<{ id: string; secret: string }>('POST', '/webhook-endpoints', { body })).body
  .data;
const cases = await rotate();
afterAll(shop.close);

/** One webhook of each type by the test button, and payments with odd texts and amounts. */
async function webhooks(phase: string): Promise<Received[]> {
  const from = shop.received.length;
  for (const event_type of eventTypes) {
    await app.api('POST', `/webhook-endpoints/${endpoint.id}/test`, { body: { event_type } });
  }
  const payments = Array.from({ length: Math.max(oddTexts.length, oddAmounts.length) }, (_, at) => ({
    amount: oddAmounts[at % oddAmounts.length],
    currency: 'PI',
    payment_type: 'deposit',
    payment_reference: `${phase}-${at}`,
    customer_email: 'ada+odd@customers.example',
    customer_reference: oddTexts[at % oddTexts.length],
    meta_data: JSON.stringify({ text: 'é'.repeat(4_000) }),
  }));
  for (const body of payments) {
    expect((await app.api('PUT', '/payment/create', { body })).body.message).toBe('Payment created');
    const path = `/test/payments/${body.payment_reference}/simulate`;
    expect((await app.api('POST', path, { body: { outcome: 'success' } })).status).toBe(200);
  }
  // Nothing of this phase is sent in the next one.
  const pending = `SELECT FROM deliveries WHERE status = 'pending'`;
  await vi.waitFor(async () => expect((await app.db.query(pending)).rowCount).toBe(0), { timeout: 120_000 });
  return shop.received.slice(from);
}

/** Rolls both secrets, and returns what came in each phase with what is true of it then. */
async function rotate(): Promise<Case[]> {
  const owner = { integrationId: app.integrationId, mode: 'test' } as const;
  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => transaction(app.db, work);
  const first: Secrets = { secretKey: app.secretKey, endpointSecret: endpoint.secret };

  const before = await webhooks('before');
  const [key] = await listKeys(app.db, owner, { before: null, limit: 1 }, new Date());
  const roll = { ...owner, keyId: key!.id, overlapSeconds: 3600, madeBy: null };
  const { secret: secretKey } = await write((tx) => rollKey(tx, testSeal, roll, new Date()));
  const rolled = await app.api<{ secret: string }>('POST', `/webhook-endpoints/${endpoint.id}/roll-secret`, {
    body: { overlap_seconds: 3600 },
  });
  const second: Secrets = { secretKey, endpointSecret: rolled.body.data.secret };
  const during = await webhooks('during');
  await write((tx) => switchSigning(tx, owner, new Date()));
  await app.api('POST', `/webhook-endpoints/${endpoint.id}/end-overlap`);
  const after = await webhooks('after');
  const again = await sentAgain(before[0]!);

  const phase = (name: string, received: Received[], secrets: Secrets, expected?: Case['expected']) =>
    received.map((webhook) => caseOf(`${name} ${webhook.body.event_type}`, webhook, secrets, expected));
  const neither = { plain: false, standard: false };
  return [
    ...phase('before, by the old secrets:', before, first),
    ...phase('before, by the new secrets:', before, second, neither),
    ...phase('during, by the old secrets:', during, first),
    // The old key signs until its owner switches; of the endpoint's secrets both do.
    ...phase('during, by the new secrets:', during, second, { plain: false, standard: true }),
    ...phase('after, by the old secrets:', after, first, neither),
    ...phase('after, by the new secrets:', after, second),
    ...phase('sent again afterwards, by the new secrets:', [again], second),
    ...phase('sent again afterwards, by the old secrets:', [again], first, neither),
  ];
}

async function sentAgain({ raw, body }: Received): Promise<Received> {
  const from = shop.received.length;
  await app.api('POST', `/events/${body.event_id}/resend`);
  const again = await shop.next((webhook) => shop.received.indexOf(webhook) >= from, 'the second sending');
  expect(again.raw.equals(raw)).toBe(true);
  return again;
}

describe.each([...libraries, ...otherLanguages])('$name', ({ judge }) => {
  test('agrees on every webhook, under the secrets of before and after', async () => {
    const verdicts = await judge(cases);
    const judged = cases.map((each, at) => ({ what: each.what, ...verdicts[at] }));
    expect(judged).toEqual(
      cases.map((each, at) => ({ what: each.what, ...expectedOf(each, verdicts[at]!) })),
    );
  });

  test('refuses what was changed, delayed or signed by others', async () => {
    const genuine = cases.filter(({ expected }) => expected.plain && expected.standard);
    const forged = genuine.flatMap((each) => forgeriesOf(each, stranger));
    const verdicts = await judge(forged);
    const judged = forged.map((each, at) => ({ what: each.what, ...verdicts[at] }));
    expect(judged).toEqual(
      forged.map((each, at) => ({ what: each.what, ...expectedOf(each, verdicts[at]!) })),
    );
  });
});

test('every type of event came in every phase', () => {
  for (const phase of ['before', 'during', 'after']) {
    const came = cases.filter(({ what }) => what.startsWith(phase)).map(({ what }) => what.split(': ')[1]);
    expect([...new Set(came)].sort()).toEqual([...eventTypes].sort());
  }
});

test('the numbers and texts of a webhook are those that the shop sent', () => {
  for (const phase of ['before', 'during', 'after']) {
    for (const [at, text] of oddTexts.entries()) {
      const reference = `${phase}-${at}`;
      const { body, raw } = shop.received.find((webhook) => webhook.body.payment_reference === reference)!;
      expect(body).toMatchObject({ customer_reference: text, amount: oddAmounts[at % oddAmounts.length] });
      expect(raw.toString()).toContain('"service_fee":1e-7,');
    }
  }
});
