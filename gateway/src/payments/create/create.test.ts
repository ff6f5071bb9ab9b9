import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import type { IntegrationSeed } from '../../../test/support/fixtures.ts';
import { noRail, openShop, payUrl } from '../../../test/support/payment-fixtures.ts';
import type { Mode } from '../../identity/integration.ts';
import { type Database, openDatabase } from '../../kit/db/db.ts';
import { type IdempotencyKey, readIdempotencyKey, replayOr } from '../../kit/http/idempotency.ts';
import type { Rail } from '../../rails/rail.ts';
import { testRates } from '../payment/amount.ts';
import { createPaymentCreator } from './create.ts';
import { generateReference } from './draft.ts';
import { readCreateBody } from './schema.ts';

const good = { amount: 10, currency: 'USDC', payment_type: 'deposit' };

const { db, connection } = await testDatabase();

/** A merchant whose requests are answered as the API answers them. */
async function openTill(seed: IntegrationSeed = {}, mode: Mode = 'test', through: Database = db) {
  const shop = await openShop(db, seed, { mode });
  const deps = { db: through, now: shop.clock.now, rates: testRates, payUrl, rail: noRail };
  const createPayment = createPaymentCreator(deps);
  const create = async (
    fields: Record<string, unknown> = {},
    key: IdempotencyKey | null = null,
    inMode = mode,
  ) => {
    const body = readCreateBody({ ...good, ...fields });
    const answer = await replayOr(db, key, () => createPayment({ ...shop.caller, mode: inMode }, body, key));
    return { ...answer, ...JSON.parse(answer.body) };
  };
  return { shop, create };
}

const openLive = (through?: Database) => openTill({ approved: true }, 'live', through);

const keyOf = (key: string, body: string) => readIdempotencyKey(key, 'one till create', Buffer.from(body))!;

async function countOf(reference: string): Promise<number> {
  const { rowCount } = await db.query('SELECT FROM payments WHERE reference = $1', [reference]);
  return rowCount!;
}

const till = await openTill();

describe('the answer', () => {
  test('carries the seven fields of the payment and the address of its page', async () => {
    const { message, data } = await till.create({ amount: 12.5, payment_reference: 'order-1' });
    expect(message).toBe('Payment created');
    expect(data.PaymentData).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      payment_reference: 'order-1',
      amount: 12.5,
      currency: 'USDC',
      payment_status: 'unlinked',
      payment_type: 'deposit',
      created_at: till.shop.clock.now().toISOString(),
    });
    const url = new URL(data.PaymentURL);
    expect(url.origin + url.pathname).toBe(payUrl);
    expect([...url.searchParams.keys()]).toEqual(['reference', 'app', 'token']);
    expect(url.searchParams.get('reference')).toBe('order-1');
    expect(url.searchParams.get('app')).toBe(till.shop.caller.integration.id);
    expect(url.searchParams.get('token')).toMatch(/^[\w-]{22}$/);
  });

  test('has a page address that survives every character of a reference', async () => {
    const reference = 'a-Z.0_9:@~';
    const { data } = await till.create({ payment_reference: reference });
    expect(new URL(data.PaymentURL).searchParams.get('reference')).toBe(reference);
  });

  test('echoes the amount as the number that was sent', async () => {
    for (const amount of [0.1 + 0.2 - 0.2 + 1, 5.000001, 123_456_789.123456]) {
      expect((await till.create({ amount })).data.PaymentData.amount).toBe(amount);
    }
  });
});

describe('a generated reference', () => {
  test('is PAY_ with 28 Crockford characters, the first of which sort by time', async () => {
    const { data } = await till.create();
    expect(data.PaymentData.payment_reference).toMatch(/^PAY_[0-9A-HJKMNP-TV-Z]{28}$/);
    const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:01Z')];
    expect(generateReference(early) < generateReference(late)).toBe(true);
  });

  test('is another for each of many', () => {
    const now = new Date();
    expect(new Set(Array.from({ length: 10_000 }, () => generateReference(now))).size).toBe(10_000);
  });
});

describe('a reference', () => {
  test('is unique among live payments, and within an integration', async () => {
    const fields = { payment_reference: 'taken' };
    const exists = 'payment_reference already exists';
    const taken = (made: Promise<unknown>) => expect(made).rejects.toThrow(exists);
    const [one, two, three] = [await openLive(), await openLive(), await openLive()];
    await one.create(fields);
    await taken(one.create(fields, null, 'test'));
    await taken(two.create(fields));
    await two.create(fields, null, 'test');
    await taken(two.create(fields, null, 'test'));
    await three.create(fields, null, 'test');
    expect(await countOf('taken')).toBe(3);
  });

  test('that fifty requests send at once through two processes makes exactly one payment', async () => {
    const elsewhere = openDatabase(connection, 4);
    const tills = [await openLive(), await openLive(elsewhere)];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => tills[n % 2]!.create({ payment_reference: 'at-once' })),
    );
    await elsewhere.end();
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason.message).toBe('payment_reference already exists');
    }
    expect(await countOf('at-once')).toBe(1);
  });
});

test('two thousand payments created at once all exist', async () => {
  const answers = await Promise.all(Array.from({ length: 2_000 }, () => till.create()));
  const ids = new Set(answers.map(({ data }) => data.PaymentData.id));
  expect(ids.size).toBe(2_000);
  const { rowCount } = await db.query("SELECT FROM payments WHERE id = ANY($1) AND status = 'unlinked'", [
    [...ids],
  ]);
  expect(rowCount).toBe(2_000);
});

test('a refused neighbour of the same commit leaves the others standing', async () => {
  await till.create({ payment_reference: 'neighbour' });
  const outcomes = await Promise.allSettled(
    ['before', 'neighbour', 'after'].map((payment_reference) => till.create({ payment_reference })),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

describe('an Idempotency-Key', () => {
  test('answers a repeated request with the very body of the first', async () => {
    const first = await till.create({}, keyOf('repeat', 'a'));
    const again = await till.create({}, keyOf('repeat', 'a'));
    expect(first.replayed).toBe(false);
    expect(again).toEqual({ ...first, replayed: true });
    expect(await countOf(first.data.PaymentData.payment_reference)).toBe(1);
  });

  test('makes one payment of twenty requests at once, with a reference or without', async () => {
    for (const fields of [{}, { payment_reference: 'twenty-at-once' }]) {
      const key = keyOf(`twenty ${JSON.stringify(fields)}`, 'a');
      const answers = await Promise.all(Array.from({ length: 20 }, () => till.create(fields, key)));
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    }
  });

  test('used with another request is refused', async () => {
    await till.create({}, keyOf('other', 'a'));
    await expect(till.create({}, keyOf('other', 'b'))).rejects.toThrow(
      'Idempotency-Key was used with a different request',
    );
  });

  test('of a refused request is judged anew', async () => {
    await till.create({ payment_reference: 'in-the-way' });
    const key = keyOf('anew', 'a');
    await expect(till.create({ payment_reference: 'in-the-way' }, key)).rejects.toThrow('already exists');
    expect((await till.create({ payment_reference: 'free' }, key)).replayed).toBe(false);
  });
});

describe('live mode', () => {
  test.each(['none', 'requested', 'rejected', 'suspended'] as const)(
    'is closed to an integration whose approval is %s, and says so before anything of the minimum',
    async (approval) => {
      const live = await openTill({ approved: true }, 'live');
      live.shop.caller.integration.approval = approval;
      await expect(live.create({ amount: 0.5 })).rejects.toThrow('Integration is not yet approved');
      const test = await openTill();
      test.shop.caller.integration.approval = approval;
      await test.create();
    },
  );

  test.each(['success_url', 'failure_url'])('wants %s by https, or on this very machine', async (field) => {
    const live = await openTill({ approved: true }, 'live');
    const refusal = `${field} is invalid: must be an https URL in live mode`;
    for (const url of ['http://shop.example', 'HTTP://shop.example', 'http://127.0.0.1.shop.example']) {
      await expect(live.create({ [field]: url }), url).rejects.toThrow(refusal);
    }
    for (const url of [
      'https://shop.example',
      'HTTPS://shop.example',
      'http://localhost:4100',
      'http://127.0.0.1',
      'http://[::1]:1',
    ]) {
      await live.create({ [field]: url });
    }
    await till.create({ [field]: 'http://shop.example' });
  });
});

test.each(['success_url', 'failure_url'])(
  'the %s is kept as it came where it is a URI, else written as one, and names no user',
  async (field) => {
    const stored = async (url: string) => {
      const { data } = await till.create({ [field]: url });
      const { rows } = await db.query(`SELECT ${field} AS url FROM payments WHERE id = $1`, [
        data.PaymentData.id,
      ]);
      return rows[0].url;
    };
    expect(await stored('https://Shop.example?a=%2f')).toBe('https://Shop.example?a=%2f');
    expect(await stored('https://shop.example/ü')).toBe('https://shop.example/%C3%BC');
    await expect(till.create({ [field]: 'https://user:pw@shop.example/' })).rejects.toThrow(
      `${field} is invalid: must not carry credentials`,
    );
  },
);

test('a live payment is written together with what its rails make for it, or not at all', async () => {
  const made = new Set<string>();
  const rail: Rail = {
    ...noRail,
    open: async (tx, [opening, ...others]) => {
      const { id } = opening!;
      expect(others).toEqual([]);
      const { rowCount } = await tx.query('SELECT FROM payments WHERE id = $1', [id]);
      if (rowCount === 1) made.add(id);
      if (made.size > 1) throw new Error('No address left');
    },
  };
  const shop = await openShop(db, { approved: true }, { mode: 'live', rail });
  const { id } = await shop.create();
  expect(made).toEqual(new Set([id]));
  await expect(shop.create({ payment_reference: 'without-address' })).rejects.toThrow('No address left');
  expect(await countOf('without-address')).toBe(0);
  await openShop(db, {}, { rail }).then((test) => test.create());
  expect(made.size).toBe(2);
});

describe('what is stored', () => {
  test('is meta_data however deeply it is nested', async () => {
    const deep = `{"order":${'['.repeat(4_000)}${']'.repeat(4_000)}}`;
    const { data } = await till.create({ meta_data: deep });
    const { rows } = await db.query('SELECT meta_data FROM payments WHERE reference = $1', [
      data.PaymentData.payment_reference,
    ]);
    expect(rows[0].meta_data).toBe(deep);
  });

  test('is every field as it was sent', async () => {
    const fields = {
      customer_email: 'jane@shop.example',
      customer_reference: 'jane',
      success_url: 'https://shop.example/paid?order=7',
      failure_url: 'https://shop.example/failed',
      item_list: { items: [{ name: 'Tea “Earl Grey”', price: 5.25, quantity: 2 }] },
      meta_data: '{ "order" : 7 }',
      payment_note: 'Leave it at the door',
    };
    expect(await till.shop.create(fields)).toMatchObject({
      status: 'unlinked',
      mode: 'test',
      customerEmail: fields.customer_email,
      customerReference: fields.customer_reference,
      successUrl: fields.success_url,
      failureUrl: fields.failure_url,
      itemList: fields.item_list,
      metaData: fields.meta_data,
      paymentNote: fields.payment_note,
    });
  });

  test('of an item is its three fields, whatever else was sent with it', async () => {
    const item = { name: 'Tea', price: 5, quantity: 2 };
    const strange = {
      ...item,
      note: 'a\0b',
      more: '\ud800',
      deep: JSON.parse('['.repeat(9_000) + ']'.repeat(9_000)),
    };
    const payment = await till.shop.create({ item_list: { items: [strange], total: '\0' } });
    expect(payment.itemList).toEqual({ items: [item] });
  });
});
