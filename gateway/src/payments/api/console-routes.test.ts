import { describe, expect, test } from 'vitest';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { auditEntries } from '../../identity/audit/audit-log.ts';
import { simulatedDestination } from '../../rails/simulated/rail.ts';
import type { TimelineEntry } from '../read/timeline.ts';

type Line = { payment_reference: string; unusual: string[]; payment_status: string };
type Page = { items: Line[]; next_cursor: string | null };
type Detail = Line & {
  id: string;
  page_url: string | null;
  amount_missing: string;
  surplus: string;
  transfers: { transaction: string; sender: string; late: boolean }[];
  events: { event_type: string; deliveries: { url: string; attempts: { status_code: number }[] }[] }[];
  ledger: { cause: string; amount: string; from: string; to: string }[];
  claims: { kind: string; content: string }[];
  timeline: TimelineEntry[];
};

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');

async function create(input: Record<string, unknown> = {}): Promise<string> {
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit', ...input };
  const created = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  if (created.status !== 200) throw new Error(created.text);
  return created.body.data.PaymentData.payment_reference;
}

const detail = async (reference: string, client = owner): Promise<Detail> =>
  (await client<Detail>('GET', `${people.test}/payments/${reference}`)).body.data;

const play = (reference: string, outcome: string, client = owner) =>
  client<Detail>('POST', `${people.test}/payments/${reference}/simulate`, { body: { outcome } });

const found = async (query: Record<string, string>): Promise<string[]> => {
  const { body } = await owner<Page>('GET', `${people.test}/payments?${new URLSearchParams(query)}`);
  return body.data.items.map((item) => item.payment_reference);
};

describe('the list', () => {
  test('is found by every text that a person may have of it, and by nothing else', async () => {
    const meta = '{"order":"A-1042","cart":{"lines":[{"sku":"INK-7"}]},"long":12345678901234567890}';
    const reference = await create({
      customer_email: 'Ada.Okafor@example.com',
      customer_reference: 'cust 7',
      meta_data: meta,
    });
    await create({
      customer_email: 'ben@example.com',
      customer_reference: 'cust 8',
      meta_data: '{"order":"A-1"}',
    });
    await play(reference, 'success');
    const { id, transfers } = await detail(reference);
    const [{ transaction, sender } = { transaction: '', sender: '' }] = transfers;
    const { address } = simulatedDestination(id, 'usdc-base', 'Base');
    const wanted = [
      reference,
      id,
      id.toUpperCase(),
      'ada.okafor@EXAMPLE.com',
      'Ada.O',
      'cust 7',
      'A-1042',
      'a-1042',
    ];
    wanted.push('INK-7', '12345678901234567890', transaction, transaction.toUpperCase(), sender, address);
    wanted.push(reference.slice(-9), reference.slice(-4).toLowerCase());
    wanted.push(`${reference.slice(0, 5)}…${reference.slice(-9)}`);
    for (const q of wanted) expect([q, await found({ q })]).toEqual([q, [reference]]);
    for (const q of ['A-104', 'cust', 'da.okafor', 'true', '%', "' OR 1=1 --", address.slice(0, -9), 'Ad']) {
      expect([q, await found({ q })]).toEqual([q, []]);
    }
  });

  test('is found in both modes at once, by the ending of a reference too', async () => {
    const [one] = [await create({ payment_reference: 'order-77-kestrel' })];
    const makeLive = "UPDATE payments SET mode = 'live', reference = 'order-78-kestrel' WHERE reference = $1";
    await app.db.query(makeLive, [await create({ payment_reference: 'order-79-other' })]);
    const find = async (q: string) => {
      const { body } = await owner<{ items: { mode: string; payment_reference: string }[] }>(
        'GET',
        `${people.integration}/find?${new URLSearchParams({ q })}`,
      );
      return body.data.items.map(({ mode, payment_reference }) => [mode, payment_reference]);
    };
    expect(await find('-KESTREL')).toEqual([
      ['live', 'order-78-kestrel'],
      ['test', one],
    ]);
    expect(await find('7-kestrel')).toEqual([['test', one]]);
    expect(await find('a much longer text than the ending of any, -kestrel')).toEqual([]);
    await app.db.query("UPDATE payments SET mode = 'test' WHERE reference = 'order-78-kestrel'");
  });

  test('is found by the transaction that a customer says to have paid with', async () => {
    const reference = await create();
    const { page_url } = await detail(reference);
    const form = new URLSearchParams(new URL(page_url!).searchParams);
    form.set('transaction', '0xAbCdEf0123456789');
    await fetch(`${app.baseUrl}/pay/claim`, { method: 'POST', body: form, redirect: 'manual' });
    expect(await found({ q: '0xAbCdEf0123456789' })).toEqual([reference]);
    expect((await detail(reference)).claims).toMatchObject([{ kind: 'paid', content: '0xAbCdEf0123456789' }]);
  });

  test('marks what came late, too little or too much, and is filtered by it', async () => {
    const cases = { underpaid: 'part_paid', overpaid: 'overpaid', late: 'late' };
    for (const [outcome, mark] of Object.entries(cases)) {
      const reference = await create({ customer_reference: 'unusual' });
      await play(reference, outcome);
      expect((await detail(reference)).unusual).toEqual([mark]);
      expect(await found({ unusual: mark, customer: 'unusual' })).toEqual([reference]);
    }
  });

  test('takes several statuses and currencies, an amount range of both ends, and a customer by either name', async () => {
    const customer_email = 'range@example.com';
    const [small, middle, large] = [
      await create({ amount: 15, customer_email }),
      await create({ amount: 22.5, currency: 'PI', customer_email }),
      await create({ amount: 37.5, currency: 'USDT', customer_email }),
    ];
    await play(large!, 'failure');
    const customer = 'RANGE@example.com';
    expect(await found({ customer })).toEqual([large, middle, small]);
    expect(await found({ customer, min_amount: '22.50', max_amount: '37.5' })).toEqual([large, middle]);
    expect(await found({ customer, max_amount: '22.4999999' })).toEqual([small]);
    expect(await found({ customer, currency: 'PI,USDC' })).toEqual([middle, small]);
    expect(await found({ customer, status: 'failed,unlinked', currency: 'USDT' })).toEqual([large]);
    expect(await found({ customer, status: 'failed,completed', min_amount: '100' })).toEqual([]);
  });

  test('has totals by status and currency, of all that the filter wants', async () => {
    const customer_email = 'totals@example.com';
    const failed = await create({ amount: 12.5, customer_email });
    for (const [amount, currency] of [
      [10, 'USDC'],
      [2.25, 'USDC'],
      [30, 'PI'],
    ] as const)
      await create({ amount, currency, customer_email });
    await play(failed, 'failure');
    const totals = async (query: string) =>
      (
        await owner<{ groups: unknown[] }>(
          'GET',
          `${people.test}/totals/payments?customer=${customer_email}${query}`,
        )
      ).body.data;
    expect(await totals('')).toEqual({
      groups: [
        { payment_status: 'failed', currency: 'USDC', count: 1, amount: '12.5' },
        { payment_status: 'unlinked', currency: 'PI', count: 1, amount: '30' },
        { payment_status: 'unlinked', currency: 'USDC', count: 2, amount: '12.25' },
      ],
      prices: [],
      counted_up_to: 10_000,
      as_of: null,
    });
    expect((await totals('&status=completed')).groups).toEqual([]);
    expect((await owner('GET', `${people.test}/totals/payments?status=paid`)).status).toBe(400);
  });

  test('and its export are of marked payments alone, and never of those of others', async () => {
    const [one, , three] = [await create(), await create(), await create()];
    const ids = [(await detail(one)).id, (await detail(three)).id].join(',');
    expect(await found({ ids })).toEqual([three, one]);
    const { text } = await owner('GET', `${people.test}/export/payments?format=csv&ids=${ids}`);
    expect(text.trim().split('\n')).toHaveLength(3);
    const { body } = await owner<Page>('GET', `${people.live}/payments?ids=${ids}`);
    expect(body.data.items).toEqual([]);
  });

  test.each([
    ['ids=1', 'ids'],
    [`ids=${Array(101).fill('00000000-0000-7000-8000-000000000000').join()}`, 'ids'],
    ['status=paid', 'status'],
    ['status=failed,', 'status'],
    ['currency=EURO', 'currency'],
    ['min_amount=-1', 'min_amount'],
    ['max_amount=1e3', 'max_amount'],
    ['from=yesterday', 'from'],
    ['unusual=odd', 'unusual'],
    ['limit=101', 'limit'],
    ['cursor=abc', 'cursor'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['q=%00', 'q'],
    ['status=failed&status=linked', 'status'],
  ])('refuses %s by name', async (query, field) => {
    const answer = await owner('GET', `${people.test}/payments?${query}`);
    expect([answer.status, answer.body.message.startsWith(`${field} is invalid`)]).toEqual([400, true]);
  });

  test("holds no page link, no token and nobody else's payments", async () => {
    const reference = await create({ customer_reference: 'mine' });
    const { text } = await owner('GET', `${people.test}/payments?customer=mine`);
    expect(text).toContain(reference);
    expect(text).not.toContain('token');
    const { body } = await owner<Page>('GET', `${people.live}/payments`);
    expect(body.data.items).toEqual([]);
  });
});

describe('a payment', () => {
  test('shows everything in one timeline, in the order of time', async () => {
    const reference = await create();
    await app.api('POST', '/webhook-endpoints', { body: { url: `${app.baseUrl}/nowhere` } });
    await play(reference, 'overpaid');
    const { timeline, events, ledger, surplus, amount_missing } = await detail(reference);
    expect([surplus, amount_missing]).toEqual(['5', '0']);
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted());
    const kinds = new Set(timeline.map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['status', 'transfer', 'staff']));
    expect(timeline.find(({ kind }) => kind === 'staff')).toMatchObject({
      action: 'simulated overpaid',
      actor: 'owner@example.com',
    });
    expect(events.map(({ event_type }) => event_type)).toContain('payment_completed');
    expect(ledger.map(({ cause, amount }) => `${cause} ${amount}`).toSorted()).toEqual([
      'payment_fee 0.1',
      'payment_received 15',
      'payment_settled 9.9',
      'payment_surplus 5',
    ]);
  });

  test('shows its page link only to those who may do what its customer may', async () => {
    const reference = await create();
    for (const [person, sees] of [
      ['owner', true],
      ['support', true],
      ['finance', false],
      ['read-only', false],
      ['operator', false],
    ] as const) {
      const { page_url } = await detail(reference, await people.as(person));
      expect([person, page_url !== null]).toEqual([person, sees]);
    }
  });

  test('is cancelled once, and the log says by whom and from what', async () => {
    const reference = await create();
    const cancel = () => owner<Detail>('POST', `${people.test}/payments/${reference}/cancel`);
    const { body } = await cancel();
    expect(body.data).toMatchObject({ payment_status: 'cancelled', reason: 'merchant' });
    expect((await cancel()).body).toMatchObject({ error: 'not_cancellable', data: null });
    const subject = { kind: 'payment', id: body.data.id };
    const entries = await auditEntries(app.db, { subject }, { before: null, limit: 10 });
    expect(entries).toMatchObject([
      {
        action: 'cancelled a payment',
        actor: { name: 'owner@example.com' },
        before: { reference, status: 'unlinked' },
        after: { reference, status: 'cancelled', reason: 'merchant' },
      },
    ]);
  });

  test('is played in test mode alone, by an outcome that there is', async () => {
    const reference = await create();
    expect((await play(reference, 'magic')).body).toMatchObject({ error: 'field_invalid' });
    const live = await owner('POST', `${people.live}/payments/${reference}/simulate`, {
      body: { outcome: 'success' },
    });
    expect(live.body).toMatchObject({ error: 'test_mode_only' });
    expect((await play('unknown', 'success')).status).toBe(404);
    expect((await detail(reference)).payment_status).toBe('unlinked');
  });
});
