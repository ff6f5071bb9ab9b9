import { describe, expect, test } from 'vitest';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { submitForm } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { after } from '../../kit/clock.ts';
import { newId } from '../../kit/ids.ts';

const app = await startApp();
const people = await openConsole(app);
const finance = await people.as('finance');
const operator = await people.as('operator');

type Item = { id: string; payment_id: string; payment_reference: string; reason: string };
type Data = Item & {
  items: Item[];
  next_cursor: string | null;
  timeline: object[];
  [field: string]: unknown;
};

async function create(outcome: string): Promise<{ reference: string; page: string }> {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    body: { amount: 10, currency: 'USDC', payment_type: 'deposit', customer_email: 'jane@example.com' },
  });
  const { PaymentData, PaymentURL } = body.data;
  await app.api('POST', `/test/payments/${PaymentData.payment_reference}/simulate`, { body: { outcome } });
  return { reference: PaymentData.payment_reference, page: PaymentURL };
}

async function disputed() {
  const payment = await create('dispute');
  return { ...payment, appeal: await appealOf(payment.reference) };
}

/** A payment of which half came before its deadline. */
async function partPaid() {
  const payment = await create('underpaid');
  await app.api('POST', '/test/clock/advance', { body: { seconds: 601 } });
  return { ...payment, appeal: await appealOf(payment.reference) };
}

async function appealOf(reference: string): Promise<Item> {
  const { body } = await finance<Data>('GET', `${people.test}/appeals?limit=100`);
  return body.data.items.find((item: Item) => item.payment_reference === reference)!;
}

const at = (item: Item, rest = '') => `${people.test}/appeals/${item.id}${rest}`;
const atOperator = (item: Item, rest = '') => `/console/operator/appeals/${item.id}${rest}`;
const read = async (item: Item) => (await finance<Data>('GET', at(item))).body.data;

describe('the list', () => {
  test('shows open appeals, newest first, with what came and the last that was said', async () => {
    const first = await partPaid();
    const second = await disputed();
    await finance<Data>('POST', at(second.appeal, '/messages'), { body: { text: 'We look into it.' } });
    const { body } = await finance<Data>('GET', `${people.test}/appeals`);
    expect(body.data.items.map(({ id }: Item) => id).slice(0, 2)).toEqual([
      second.appeal.id,
      first.appeal.id,
    ]);
    expect(body.data.items.slice(0, 2)).toEqual([
      expect.objectContaining({
        reason: 'disputed',
        status: 'open',
        amount_due: '10',
        amount_received: '10',
        last_message: { author: 'merchant', text: 'We look into it.', at: expect.any(String) },
      }),
      expect.objectContaining({
        reason: 'part_paid',
        amount_due: '10',
        amount_received: '5',
        last_message: null,
      }),
    ]);
  });

  test('is filtered by reason and by what is closed, and walked page by page', async () => {
    const { appeal } = await disputed();
    await partPaid();
    await finance<Data>('POST', at(appeal, '/return'), { body: {} });
    const ask = async (query: string) =>
      (await finance<Data>('GET', `${people.test}/appeals?${query}`)).body.data;
    expect((await ask('status=closed')).items.map(({ id }: Item) => id)).toContain(appeal.id);
    const parts = await ask('reason=part_paid');
    expect(new Set(parts.items.map(({ reason }: Item) => reason))).toEqual(new Set(['part_paid']));
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Data = await ask(`limit=1${cursor && `&cursor=${cursor}`}`);
      walked.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(walked).toEqual((await ask('limit=100')).items.map(({ id }: Item) => id));
  });

  test.each(['status=gone', 'reason=whim', 'cursor=x', 'limit=0', 'limit=101'])(
    'refuses %s',
    async (query) => {
      for (const path of [`${people.test}/appeals`, '/console/operator/appeals']) {
        const client = path.startsWith('/console/operator') ? operator : finance;
        expect((await client<Data>('GET', `${path}?${query}`)).status).toBe(400);
      }
    },
  );

  test("shows an operator everybody's, and a business nothing of the other mode", async () => {
    const { appeal } = await disputed();
    const all = (await operator<Data>('GET', '/console/operator/appeals?limit=100')).body.data.items;
    expect(all.map(({ id }: Item) => id)).toContain(appeal.id);
    expect((await finance<Data>('GET', `${people.live}/appeals`)).body.data.items).toEqual([]);
    expect((await finance<Data>('GET', `${people.live}/appeals/${appeal.id}`)).status).toBe(404);
    expect((await finance<Data>('GET', `${people.test}/appeals/nonsense`)).status).toBe(404);
  });
});

describe('one appeal', () => {
  test('says what each decision would do with the money', async () => {
    const { decisions, transfers, timeline } = await read((await partPaid()).appeal);
    expect(decisions).toEqual({
      accept: {
        refusal: null,
        receives: [{ asset: 'usdc-erc20', network: 'Ethereum', amount: '4.95' }],
        fee: [{ asset: 'usdc-erc20', network: 'Ethereum', amount: '0.05' }],
        surplus: [],
      },
      return: expect.objectContaining({
        refusal: null,
        owed: [{ asset: 'usdc-erc20', network: 'Ethereum', amount: '5' }],
        from_business: [],
      }),
      reject: null,
    });
    expect(transfers).toEqual([
      expect.objectContaining({ amount: '5', state: 'final', is_of_currency: true }),
    ]);
    expect(timeline.at(-1)).toMatchObject({ status: 'in-appeal', reason: 'part_paid' });
  });

  test('of a dispute shows the words of the customer, and what the business would give', async () => {
    const { decisions, claims } = await read((await disputed()).appeal);
    expect(claims).toEqual([expect.objectContaining({ kind: 'dispute', content: 'Simulated dispute' })]);
    expect(decisions).toMatchObject({
      accept: null,
      return: {
        refusal: null,
        owed: [{ amount: '10' }],
        from_business: [{ amount: '9.9' }],
        fee_given_up: [{ amount: '0.1' }],
        shortage: [],
      },
      reject: { refusal: null },
    });
  });

  test('is shown without the link by which the customer disputes, cancels and writes', async () => {
    const { appeal, page } = await disputed();
    const token = new URL(page).searchParams.get('token')!;
    for (const person of ['read-only', 'finance'] as const) {
      const api = await people.as(person);
      expect((await api('GET', at(appeal))).text).not.toContain(token);
    }
    expect((await operator('GET', atOperator(appeal))).text).not.toContain(token);
  });

  test('is a conversation of business, customer and operator, each by name', async () => {
    const { appeal, page } = await disputed();
    await submitForm(page, 'message', { text: 'Where is it?' });
    await finance<Data>('POST', at(appeal, '/messages'), { body: { text: ' On its way. ' } });
    await operator<Data>('POST', atOperator(appeal, '/messages'), { body: { text: 'We wait a day.' } });
    expect((await read(appeal)).messages).toMatchObject([
      { author: 'customer', name: null, text: 'Where is it?' },
      { author: 'merchant', name: 'The finance', text: 'On its way.' },
      { author: 'operator', name: 'The operator', text: 'We wait a day.' },
    ]);
    const words = await (await fetch(page)).text();
    for (const text of ['Where is it?', 'On its way.', 'We wait a day.']) expect(words).toContain(text);
  });

  test('waits for an answer after twenty messages in a row', async () => {
    const { appeal, page } = await disputed();
    const say = async () => (await submitForm(page, 'message', { text: 'Hello?' })).headers.get('location');
    for (let said = 0; said < 20; said++) expect(await say()).not.toContain('notice=too_many_requests');
    expect(await say()).toContain('notice=too_many_requests');
    expect((await read(appeal)).messages).toHaveLength(20);
    await finance<Data>('POST', at(appeal, '/messages'), { body: { text: 'Here we are.' } });
    expect(await say()).toContain('notice=message_sent');
  });

  test.each([{}, { text: '' }, { text: '  ' }, { text: 'x'.repeat(2001) }, { text: 7 }, { text: '\u0000' }])(
    'takes no message like %j',
    async (body) => {
      const { appeal } = await disputed();
      expect((await finance<Data>('POST', at(appeal, '/messages'), { body })).status).toBe(400);
      expect((await read(appeal)).messages).toEqual([]);
    },
  );
});

describe('a decision', () => {
  test('of the business completes the payment with what came, once, and is in the log', async () => {
    const { appeal, reference } = await partPaid();
    const key = { 'idempotency-key': newId() };
    const accepted = await finance<Data>('POST', at(appeal, '/accept'), { body: {}, headers: key });
    expect(accepted.body.data).toMatchObject({
      status: 'closed',
      decision: 'accepted',
      payment_status: 'completed',
      decided_by: { as: 'merchant', name: 'The finance' },
    });
    const again = await finance<Data>('POST', at(appeal, '/accept'), { body: {}, headers: key });
    expect([again.status, again.body]).toEqual([200, accepted.body]);
    const anew = await finance<Data>('POST', at(appeal, '/accept'), { body: {} });
    expect([anew.status, anew.body.error]).toEqual([409, 'appeal_closed']);
    expect((await app.api<Data>('GET', `/payments/${reference}`)).body.data.payment_status).toBe('completed');
    const owner = await people.as('owner');
    const { items } = (await owner<Data>('GET', `${people.merchant}/audit`)).body.data;
    expect(items[0]).toMatchObject({
      action: 'accepted what came',
      subject: { kind: 'payment', id: appeal.payment_id },
      after: { payment_status: 'completed', reason: 'accepted' },
    });
  });

  test('of an operator needs words, which the business then reads', async () => {
    const { appeal } = await disputed();
    for (const call of ['/reject-dispute', '/return']) {
      for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(2001) }]) {
        expect((await operator('POST', atOperator(appeal, call), { body })).status).toBe(400);
      }
    }
    const body = { reason: 'The parcel was signed for.' };
    expect((await operator<Data>('POST', atOperator(appeal, '/reject-dispute'), { body })).status).toBe(200);
    expect(await read(appeal)).toMatchObject({
      payment_status: 'completed',
      decision: 'dispute_rejected',
      note: 'The parcel was signed for.',
      decided_by: { as: 'operator', name: 'The operator' },
    });
    const late = await finance<Data>('POST', at(appeal, '/messages'), { body: { text: 'Thank you.' } });
    expect([late.status, late.body.error]).toEqual([409, 'appeal_closed']);
  });

  test('gives the money back, on the word of the business or the operator', async () => {
    for (const [client, path] of [
      [finance, at],
      [operator, atOperator],
    ] as const) {
      const { appeal, page } = await disputed();
      const answer = await client<Data>('POST', path(appeal, '/return'), {
        body: { reason: 'Lost in the post.' },
      });
      expect(answer.body.data).toMatchObject({
        payment_status: 'cancelled',
        decision: 'returned',
        transfers: [expect.objectContaining({ returned_at: expect.any(String) })],
      });
      expect(await (await fetch(page)).text()).toContain('It was decided to refund');
    }
  });

  test('that the reason does not allow is refused in words', async () => {
    const { appeal } = await disputed();
    const { status, body } = await finance<Data>('POST', at(appeal, '/accept'), { body: {} });
    expect([status, body.message]).toEqual([409, 'Not possible for an appeal whose reason is disputed']);
  });

  test('asks whoever signed in long ago to confirm that it is they', async () => {
    const { appeal } = await disputed();
    await app.db.query('UPDATE sessions SET created_at = $1, confirmed_at = NULL WHERE account_id = $2', [
      after(new Date(), -3600),
      people.accountId('finance'),
    ]);
    const { status, body } = await finance<Data>('POST', at(appeal, '/return'), { body: {} });
    expect([status, body.error]).toEqual([403, 'fresh_sign_in']);
    await app.db.query('UPDATE sessions SET confirmed_at = now() WHERE account_id = $1', [
      people.accountId('finance'),
    ]);
  });
});
