import { describe, expect, test } from 'vitest';
import { seedBalance, seedUser } from './support/fixtures.ts';
import { auditFindings } from './support/payment-fixtures.ts';
import { type Call, create, expectRefused, fundUser } from './support/refusals.ts';
import { startApp } from './support/running.ts';

const app = await startApp();
await seedUser(app.db, 'ada');
const owner = app.integrationId;
await seedBalance(app.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 10n ** 9n });

const atOnce = (times: number, made: Call) => Promise.all(Array.from({ length: times }, () => made(app.api)));

async function count(sql: string, ...values: unknown[]): Promise<bigint> {
  const { rows } = await app.db.query<{ n: bigint }>(`SELECT count(*) AS n FROM ${sql}`, values);
  return rows[0]!.n;
}

test('of 40 creates with one reference at the same instant one succeeds', async () => {
  const answers = await atOnce(40, create({ payment_reference: 'RACE' }));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(39);
  for (const each of refused) expectRefused(each, 409, 'payment_reference already exists');
  expect(await count('payments WHERE reference = $1', 'RACE')).toBe(1n);
});

describe('calls with one Idempotency-Key at the same instant', () => {
  const headers = (key: string) => ({ headers: { 'idempotency-key': key } });

  test.each([
    [
      'create',
      create({ customer_reference: 'twins' }, headers('twins')),
      'payments WHERE customer_reference = $1',
      'twins',
    ],
    ['fund-user', fundUser({}, headers('"twins"')), 'ledger_transfers WHERE cause = $1', 'fund_user'],
  ])('have one effect and get the same bytes: %s', async (_call, made, effects, name) => {
    const answers = await atOnce(20, made);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replays = answers.filter((each) => each.headers.get('idempotent-replayed') === 'true');
    expect(replays).toHaveLength(19);
    expect(await count(effects, name)).toBe(1n);
  });

  test('but another body: one succeeds, and the others are told', async () => {
    const bodies = Array.from({ length: 10 }, (_, index) => create({ amount: 20 + index }, headers('other')));
    const answers = await Promise.all(bodies.map((each) => each(app.api)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(9);
    for (const each of refused) expectRefused(each, 422, 'Idempotency-Key was used with a different request');
  });

  test('a refusal stores nothing: the same key is judged anew', async () => {
    const keyed = headers('refused first');
    expect((await create({ amount: 0 }, keyed)(app.api)).status).toBe(400);
    expect((await create({ payment_reference: 'RACE' }, keyed)(app.api)).status).toBe(409);
    expect((await create({}, keyed)(app.api)).status).toBe(200);
  });

  test('a key whose twin does not finish within 5 s is in use, and its neighbours are served', async () => {
    const twin = await app.db.connect();
    try {
      await twin.query('BEGIN');
      await twin.query(
        `INSERT INTO idempotency_keys (scope, key, fingerprint, created_at) VALUES ($1, 'held', '', now())`,
        [`${app.integrationId} test create`],
      );
      const held = create({}, headers('held'))(app.api);
      const neighbours = await atOnce(5, create({}));
      expect(neighbours.map(({ status }) => status)).toEqual(Array(5).fill(200));
      expectRefused(await held, 409, 'Idempotency-Key is in use');
    } finally {
      await twin.query('ROLLBACK');
      twin.release();
    }
  });
});

test('the ledger is clean after all this', async () => {
  expect(await auditFindings(app.db)).toEqual([]);
});
