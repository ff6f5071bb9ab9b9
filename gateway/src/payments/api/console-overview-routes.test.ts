import { describe, expect, test } from 'vitest';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { openReceiver } from '../../../test/webhooks/receiver.ts';
import type { OnboardingStep } from '../read/onboarding.ts';
import type { OperatorOverview } from './console-answers/overview.ts';

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');

type Steps = { steps: OnboardingStep[]; done: boolean };

const ticked = async (mode = people.test): Promise<string[]> => {
  const { body } = await owner<Steps>('GET', `${mode}/onboarding`);
  return body.data.steps.filter(({ done }) => done).map(({ step }) => step);
};

async function pay(): Promise<void> {
  const body = { amount: 12.5, currency: 'USDC', payment_type: 'deposit' };
  const created = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const reference = created.body.data.PaymentData.payment_reference;
  await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
}

describe('the first steps', () => {
  test('are ticked by what happened, one after the other, each mode by itself', async () => {
    expect(await ticked()).toEqual([]);
    const copied = await owner('POST', `${people.test}/onboarding/key-copied`, { body: {} });
    expect(copied.status).toBe(200);
    expect(await ticked()).toEqual(['key']);
    await pay();
    expect(await ticked()).toEqual(['key', 'payment', 'completed']);

    const receiver = await openReceiver();
    await app.api('POST', '/webhook-endpoints', { body: { url: receiver.url } });
    expect(await ticked()).toEqual(['key', 'payment', 'completed', 'endpoint']);
    await pay();
    await expect.poll(() => ticked()).toContain('verified');

    await app.db.query("UPDATE integrations SET approval = 'requested' WHERE id = $1", [app.integrationId]);
    expect(await ticked()).toContain('approval_asked');
    await app.db.query("UPDATE integrations SET approval = 'approved' WHERE id = $1", [app.integrationId]);
    const { body } = await owner<Steps>('GET', `${people.test}/onboarding`);
    expect(body.data.done).toBe(true);
    expect(await ticked(people.live)).toEqual(['approval_asked', 'approved']);
    await receiver.close();
  });

  test('the copy of a key is written into the audit log once', async () => {
    await owner('POST', `${people.live}/onboarding/key-copied`, { body: {} });
    await owner('POST', `${people.live}/onboarding/key-copied`, { body: {} });
    const { rows } = await app.db.query("SELECT FROM audit_log WHERE action = 'copied the live key first'");
    expect(rows).toHaveLength(1);
    expect(await ticked(people.live)).toContain('key');
  });

  test('only who manages keys reports a copy', async () => {
    const support = await people.as('support');
    const { status, body } = await support('POST', `${people.test}/onboarding/key-copied`, { body: {} });
    expect([status, body.error]).toEqual([403, 'role_may_not']);
  });
});

describe('the overview', () => {
  type Overview = { days: number; zone: string; by_day: { day: string }[]; volume: object; webhooks: object };

  test('shows payments and webhooks of one mode, in days of the zone that was asked for', async () => {
    const query = '?days=7&zone=Asia/Tokyo';
    const ask = async (mode: string) => (await owner<Overview>('GET', `${mode}/overview${query}`)).body.data;
    const test = await ask(people.test);
    expect(test).toMatchObject({ days: 7, zone: 'Asia/Tokyo', volume: { USDC: '25' } });
    // The first payment was made today.
    expect(test.by_day.length).toBeLessThan(3);
    expect(await ask(people.live)).toMatchObject({ volume: {}, webhooks: { delivered: 0, rate: null } });
  });

  test('shows thirty days of UTC unless it is asked for others, to everybody who reads', async () => {
    const reader = await people.as('read-only');
    const body = { amount: 1, currency: 'USDC', payment_type: 'deposit', payment_reference: 'FIRST' };
    await app.api('PUT', '/payment/create', { body });
    await app.db.query(
      "UPDATE payments SET created_at = now() - interval '60 days' WHERE reference = 'FIRST'",
    );
    const { data } = (await reader<Overview>('GET', `${people.test}/overview`)).body;
    expect([data.days, data.zone, data.by_day.length]).toEqual([30, 'UTC', 30]);
  });

  test('counts the attempts of the last day over all endpoints', async () => {
    const webhooks = async () => (await owner<Overview>('GET', `${people.test}/overview`)).body.data.webhooks;
    await expect
      .poll(webhooks)
      .toMatchObject({ endpoints: { active: 1, paused: 0, disabled: 0 }, failed: 0, rate: 1, queued: 0 });
  });

  test('has the sums of the prices that the list has, and of what the ledger booked for them', async () => {
    const price = (currency: string, amount: string, coin: string) =>
      priced({ price: { amount, currency }, currency: coin });
    await price('EUR', '49.90', 'USDC');
    await price('EUR', '0.81', 'PI');
    await price('JPY', '2500', 'USDC');
    const { prices, volume } = (await owner<Sums>('GET', `${people.test}/overview`)).body.data;
    expect(prices).toEqual([
      { currency: 'EUR', count: 2, amount: await listed('EUR') },
      { currency: 'JPY', count: 1, amount: await listed('JPY') },
    ]);
    expect(prices.map(({ amount }) => amount)).toEqual(['50.71', '2500']);
    expect(volume).toEqual(await booked());
    const totals = await owner<{ prices: object[] }>('GET', `${people.test}/totals/payments`);
    expect(totals.body.data.prices).toEqual(prices.map((sum) => ({ payment_status: 'completed', ...sum })));
  });

  type Sums = { prices: { currency: string; amount: string }[]; volume: object };

  async function priced(fields: object): Promise<void> {
    const body = { ...fields, payment_type: 'deposit' };
    const created = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
    const reference = created.body.data.PaymentData.payment_reference;
    const { status } = await app.api('POST', `/test/payments/${reference}/simulate`, {
      body: { outcome: 'success' },
    });
    expect(status).toBe(200);
  }

  /** The sum of the amounts that `GET /payments` lists, in hundredths. */
  async function listed(currency: string): Promise<string> {
    const { body } = await app.api<{ items: { amount: string }[] }>(
      'GET',
      `/payments?status=completed&currency=${currency}`,
    );
    const cents = body.data.items.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    return String(cents / 100);
  }

  /** What the ledger divided among the business and fees, of each coin. */
  async function booked(): Promise<object> {
    const { rows } = await app.db.query<{ coin: string; units: bigint }>(
      `SELECT upper(split_part(a.asset, '-', 1)) AS coin, -sum(e.units) AS units
       FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id JOIN ledger_accounts a ON a.id = e.account
       WHERE t.cause IN ('payment_settled', 'payment_fee') AND e.units < 0 GROUP BY 1`,
    );
    const scales: Record<string, number> = { USDC: 6, PI: 7 };
    return Object.fromEntries(
      rows.map(({ coin, units }) => [coin, String(Number(units) / 10 ** scales[coin]!)]),
    );
  }

  test.each(['days=8', 'days=1e9', 'days=seven', 'zone=Mars/Olympus', 'zone=%2B02:00', 'zone=UTC&zone=UTC'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await owner('GET', `${people.test}/overview?${query}`);
      expect([status, body.error]).toEqual([400, 'field_invalid']);
    },
  );
});

describe('the overview of operators', () => {
  test('has the volume of the last thirty days, and the fees of this month and the last, of one mode', async () => {
    const operator = await people.as('operator');
    const ask = async (mode: string) =>
      await operator<OperatorOverview>('GET', `/console/operator/overview${mode}`);
    const [test, live] = [await ask('?mode=test'), await ask('')];
    expect(test.body.data).toMatchObject({ mode: 'test', days: 30 });
    const coins = test.body.data.volume.map(({ currency, payments, completed }) => [
      currency,
      payments,
      completed,
    ]);
    expect(coins).toEqual([
      ['PI', 1, 1],
      ['USDC', 4, 4],
    ]);
    expect(live.body.data).toEqual({ mode: 'live', days: 30, volume: [], fees: [], as_of: null });
    expect((await ask('?mode=other')).status).toBe(400);
  });
});
