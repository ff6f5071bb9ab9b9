import { describe, expect, test } from 'vitest';
import { openConsole } from './support/console.ts';
import { type Data, operatorDesk, root } from './support/operator.ts';
import { startApp } from './support/running.ts';

const app = await startApp({ seed: { name: 'Nib & Folio' } });
const people = await openConsole(app);
const desk = await operatorDesk(people);

const create = (fields: object, key = app.secretKey) =>
  app.api<Data>('PUT', '/payment/create', {
    key,
    body: { amount: 10, currency: 'USDC', payment_type: 'deposit', ...fields },
  });

describe('suspense', () => {
  test('shows what came for no settled payment, and what it was likely meant for', async () => {
    expect((await desk.get('/suspense')).items).toEqual([]);
    const pay = async (outcome: string, fields: object = {}) => {
      const { body } = await create(fields);
      const reference = body.data.PaymentData.payment_reference;
      await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
      return reference as string;
    };
    await pay('success');
    const near = [10.1, 10, 10.05].map((amount) => create({ amount }));
    const meant = (await Promise.all(near)).map(({ body }) => body.data.PaymentData.payment_reference);
    await create({ amount: 30 });
    const odd = await pay('wrong_token', { currency: 'PI', amount: 12.5 });
    const half = await pay('underpaid', { amount: 20 });
    const { items } = await desk.get('/suspense');
    expect(items.map(({ reference }) => reference)).toEqual([half, odd]);
    expect(items).toMatchObject([
      { amount: '10', asset: 'usdc-erc20', is_of_currency: true, integration_name: 'Nib & Folio' },
      { is_of_currency: false },
    ]);
    await app.db.query(`UPDATE payment_transfers SET seen_at = seen_at + interval '1 second'`);
    const late = (await create({})).body.data.PaymentData;
    await app.db.query(
      `UPDATE payments SET created_at = created_at + interval '3 seconds' WHERE reference = $1`,
      [late.payment_reference],
    );
    const matches = (await desk.get(`/suspense/${items[0]!.id}/matches`)).items;
    expect(matches.map(({ reference }) => reference)).toEqual([1, 2, 0].map((at) => meant[at]));
  });

  test('is a part of totals that come to zero', async () => {
    const { items } = await desk.get('/totals');
    expect(items.length).toBeGreaterThan(0);
    for (const { sum } of items) expect(sum).toBe('0');
    expect(items.find(({ asset }) => asset === 'usdc-erc20')).toMatchObject({
      mode: 'test',
      currency: 'USDC',
      suspense: '22.5',
    });
    expect((await desk.get('/receivables')).items).toEqual([]);
    expect((await desk.get(`/integrations/${app.integrationId}/balances`)).items.length).toBeGreaterThan(0);
  });
});

describe('an audit of the ledger', () => {
  test('is started, followed and kept', async () => {
    const started = await desk.call<Data>('POST', `${root}/ledger-audits`, { body: {} });
    const find = async () =>
      (await desk.get('/ledger-audits')).items.find((run) => run.id === started.body.data.id)!;
    let run = await find();
    while (run.state === 'running') run = await find();
    expect(run).toMatchObject({ state: 'clean', asked_by: 'operator@example.com', report: { findings: [] } });
    expect(await desk.lastChange()).toMatchObject({ action: 'started an audit of the ledger' });
  });
});
