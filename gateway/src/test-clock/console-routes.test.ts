import { expect, test } from 'vitest';
import { openConsole } from '../../test/support/console.ts';
import { testClock } from '../../test/support/fixtures.ts';
import { startApp } from '../../test/support/running.ts';
import { newId } from '../kit/ids.ts';

type Shown = {
  now: string;
  ahead_seconds: number;
  waiting: { items: { kind: string; payment_reference: string; what: string; in_seconds: number }[] };
  happened: { payments: object[]; chain_steps: number; webhooks_tried: number };
};

const clock = testClock(new Date());

const app = await startApp({ now: clock.now });
const people = await openConsole(app);
const developer = await people.as('developer');

const advance = async (seconds: unknown, key: string = newId()) =>
  await developer<Shown>('POST', `${people.test}/clock/advance`, {
    body: { seconds },
    headers: { 'idempotency-key': key },
  });

test('the clock shows what waits for it, and advancing it shows what became of that', async () => {
  const reference = 'CLOCK-CONSOLE';
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
  await app.api('PUT', '/payment/create', { body });
  const before = (await developer<Shown>('GET', `${people.test}/clock`)).body.data;
  expect(before.ahead_seconds).toBe(0);
  expect(before.waiting.items).toEqual([
    { kind: 'payment', payment_reference: reference, what: 'unlinked', in_seconds: 600 },
  ]);

  const { happened, ...after } = (await advance(600)).body.data;
  expect(after.ahead_seconds).toBe(600);
  expect(happened.payments).toEqual([{ payment_reference: reference, from: 'unlinked', to: 'cancelled' }]);

  await developer('POST', `${people.test}/clock/reset`, { body: {} });
  expect((await developer<Shown>('GET', `${people.test}/clock`)).body.data.ahead_seconds).toBe(0);
});

test('the steps of a slow transfer are waited for one by one', async () => {
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'SLOW-1' };
  await app.api('PUT', '/payment/create', { body });
  await app.api('POST', '/test/payments/SLOW-1/simulate', { body: { outcome: 'slow' } });
  const { items } = (await developer<Shown>('GET', `${people.test}/clock`)).body.data.waiting;
  expect(items.filter(({ kind }) => kind === 'chain').map(({ what }) => what)).toEqual([
    'seen',
    'seen',
    'final',
  ]);
  const { happened } = (await advance(60)).body.data;
  expect(happened).toMatchObject({
    payments: [{ payment_reference: 'SLOW-1', from: 'pending', to: 'completed' }],
    chain_steps: 3,
  });
});

test('a repeated call advances once', async () => {
  const key = newId();
  const first = (await advance(60, key)).body.data.ahead_seconds;
  expect((await advance(60, key)).body.data.ahead_seconds).toBe(first);
});

test.each([0, -1, 1.5, '60', null, 10 ** 9])('it does not advance by %j seconds', async (seconds) => {
  const answer = await advance(seconds);
  expect([answer.status, answer.body.error]).toEqual([400, 'field_invalid']);
});

test('live mode has none', async () => {
  const calls: [string, string, object?][] = [
    ['GET', '/clock'],
    ['POST', '/clock/advance', { seconds: 60 }],
    ['POST', '/clock/reset', {}],
  ];
  for (const [method, path, body] of calls) {
    const answer = await developer(method, people.live + path, body ? { body } : {});
    expect([answer.status, answer.body.error]).toEqual([403, 'test_mode_only']);
  }
});

test('what was done to it is in the audit log', async () => {
  const { rows } = await app.db.query<{ action: string }>('SELECT DISTINCT action FROM audit_log ORDER BY 1');
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['advanced the test clock', 'reset the test clock']),
  );
});
