import { expect, test } from 'vitest';
import { testClock } from './support/fixtures.ts';
import { startApp } from './support/running.ts';

const most = 512;
const tooMany = 40;

// With a clock that stands, no request ages while a slow machine sends the next.
const app = await startApp({ now: testClock().now });

const create = (reference: string) =>
  app.api('PUT', '/payment/create', {
    body: { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: reference },
  });

test('what cannot be taken is refused at once, what was taken is kept, and then all goes on', async () => {
  const holder = await app.db.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE payments IN ACCESS EXCLUSIVE MODE');
  const refusals: Awaited<ReturnType<typeof create>>[] = [];
  const references = Array.from({ length: most + tooMany }, (_, index) => `LOAD-${index}`);
  const answers = references.map(async (reference) => {
    const answer = await create(reference);
    if (answer.status === 503) refusals.push(answer);
    return answer;
  });
  // Nothing can be written: these are answered without the database.
  await expect.poll(() => refusals.length).toBeGreaterThanOrEqual(tooMany);
  const [refusal] = refusals;
  expect(refusal?.headers.get('retry-after')).toBe('1');
  expect(refusal?.body).toMatchObject({
    message: 'Temporarily unavailable',
    data: null,
    error: 'unavailable',
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect((await fetch(`${app.baseUrl}/health`)).status).toBe(200);
  await holder.query('COMMIT');
  holder.release();

  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  const { rows } = await app.db.query<{ reference: string }>(
    `SELECT reference FROM payments WHERE reference LIKE 'LOAD-%'`,
  );
  const accepted = references.filter((_, index) => statuses[index] === 200);
  expect(rows.map(({ reference }) => reference).toSorted()).toEqual(accepted.toSorted());
  expect(new Set([...statuses, 503])).toEqual(new Set([200, 503]));
  expect((await create('AFTER-1')).status).toBe(200);
});
