import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { outcomes } from '../../rails/simulated/scenarios.ts';
import { ScenarioPage, ScriptData } from '../simulate/answers.ts';

const app = await startApp();
const people = await openConsole(app);

let created = 0;
async function createPayment(): Promise<string> {
  const reference = `play-${++created}`;
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
  await app.api('PUT', '/payment/create', { body });
  return reference;
}

type Scenario = { outcome: string; takes_amount: boolean; combines_with: string[] };
type Script = { steps: object[] };

const query = '?outcome=underpaid&outcome=split&outcome=late&delay_seconds=90';
const steps = [
  { after_seconds: 0, what: 'expire', transfer: null },
  ...[1, 2].map((number) => ({
    after_seconds: 90 + (number - 1) * 30,
    what: 'final',
    transfer: { number, asset: 'usdc-erc20', amount: '5', confirmations: 3, needed: 3 },
  })),
];

describe('the outcomes that can be played', () => {
  test('are listed with what each does and combines with', async () => {
    const { status, body } = await app.api<{ items: Scenario[] }>('GET', '/test/scenarios');
    expect([status, body.message]).toEqual([200, 'Scenarios']);
    expect(Compile(ScenarioPage).Check(body.data)).toBe(true);
    expect(body.data.items.map(({ outcome }) => outcome)).toEqual(outcomes);
    const of = (name: string) => body.data.items.find(({ outcome }) => outcome === name)!;
    expect(of('failure')).toMatchObject({ takes_amount: false, combines_with: [] });
    expect(of('dust').takes_amount).toBe(false);
    expect(of('underpaid').combines_with).toEqual([
      ...['split', 'late', 'wrong_token', 'slow', 'reorg', 'two_networks', 'two_currencies'],
    ]);
  });

  test('and what they come to can be seen before, which plays nothing', async () => {
    const reference = await createPayment();
    const answer = await app.api<Script>('GET', `/test/payments/${reference}/script${query}`);
    expect(answer.body).toEqual({ message: 'Script', data: { steps } });
    expect(Compile(ScriptData).Check(answer.body.data)).toBe(true);
    const after = await app.api<{ payment_status: string }>('GET', `/payments/${reference}`);
    expect(after.body.data.payment_status).toBe('unlinked');
  });

  test('are the same in the dashboard', async () => {
    const support = await people.as('support');
    const listed = await support('GET', `${people.test}/scenarios`);
    expect(listed.body.data).toEqual((await app.api('GET', '/test/scenarios')).body.data);
    const reference = await createPayment();
    const script = await support('GET', `${people.test}/payments/${reference}/script${query}`);
    expect(script.body.data).toEqual({ steps });
  });
});

describe('playing several at once', () => {
  test('does to the payment what all of them say', async () => {
    const reference = await createPayment();
    const body = { outcome: ['underpaid', 'late'], amount: '7.5' };
    const played = await app.api<{ payment_status: string; amount_received: string }>(
      'POST',
      `/test/payments/${reference}/simulate`,
      { body },
    );
    expect(played.body).toMatchObject({
      message: 'Payment simulated',
      data: { payment_status: 'cancelled', reason: 'abandoned', amount_received: '7.5' },
    });
  });

  test('stands in the audit log when a person does it', async () => {
    const reference = await createPayment();
    const support = await people.as('support');
    await support('POST', `${people.test}/payments/${reference}/simulate`, {
      body: { outcome: ['slow', 'overpaid'] },
    });
    const { rows } = await app.db.query('SELECT action FROM audit_log ORDER BY id DESC LIMIT 1');
    expect(rows).toEqual([{ action: 'simulated slow, overpaid' }]);
  });

  test.each([
    [
      { outcome: ['underpaid', 'overpaid'] },
      400,
      'field_invalid',
      /do not combine: both say how much is sent$/,
    ],
    [
      { outcome: 'underpaid', amount: '20' },
      400,
      'field_invalid',
      /^amount is invalid: must be less than the 20/,
    ],
    [{ outcome: 'slow', amount: 5 }, 400, 'field_invalid', /^amount is invalid: .*such as "12.5"$/],
    [
      { outcome: 'dispute', amount: '1' },
      400,
      'field_invalid',
      /^amount is invalid: must be at least the 20/,
    ],
  ])('%j is refused', async (body, status, error, message) => {
    const path = `/test/payments/${await createPayment()}/simulate`;
    const answer = await app.api('POST', path, { body });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.body.message).toMatch(message);
  });

  test('of a payment that has ended says what is possible instead', async () => {
    const path = `/test/payments/${await createPayment()}/simulate`;
    await app.api('POST', path, { body: { outcome: 'success' } });
    const answer = await app.api('POST', path, { body: { outcome: ['slow', 'split'] } });
    expect([answer.status, answer.body.error, answer.body.message]).toEqual([
      409,
      'not_playable',
      'Not possible while the payment is completed: nothing is missing; name an amount to send more',
    ]);
  });
});

test('none of it is to be had in live mode', async () => {
  const key = app.liveSecretKey;
  const owner = await people.as('owner');
  const answers = [
    await app.api('GET', '/test/scenarios', { key }),
    await app.api('GET', '/test/payments/any/script?outcome=slow', { key }),
    await app.api('POST', '/test/payments/any/simulate', { key, body: { outcome: 'slow' } }),
    await owner('GET', `${people.live}/scenarios`),
    await owner('GET', `${people.live}/payments/any/script?outcome=slow`),
  ];
  for (const { status, body } of answers) {
    expect([status, body.message]).toEqual([403, 'Only available in test mode']);
  }
});
