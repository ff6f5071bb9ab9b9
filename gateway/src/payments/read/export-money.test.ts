import { expect, test } from 'vitest';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { startApp } from '../../../test/support/running.ts';
import { createAssets } from '../../money/assets.ts';
import { createExporter, type ExportFormat } from './export.ts';

const app = await startApp();

async function exported(format: ExportFormat): Promise<string> {
  const own = { integrationId: app.integrationId, mode: 'test' } as const;
  const { stream } = await createExporter(createAssets())(app.db, own, {}, format);
  return (await stream.toArray()).join('');
}

async function create(): Promise<string> {
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit' };
  const answer = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  return answer.body.data.PaymentData.id;
}

test('a CSV file begins with the mark by which Excel knows UTF-8, and a JSON file does not', async () => {
  expect(await exported('csv')).toMatch(/^\ufeffpayment_reference,/);
  expect(await exported('json')).toMatch(/^\[/);
});

test('an export says of each payment what came, in which assets and transactions, and what went back', async () => {
  const [paid, unpaid] = [await create(), await create()];
  for (const [key, asset, units, state] of [
    ['b', 'usdc-bep20', 12n * 10n ** 17n, 'final'],
    ['a', 'usdc-erc20', 2_500_000n, 'seen'],
    ['c', 'usdc-erc20', 9_000_000n, 'gone'],
    ['d', 'usdt-erc20', 9_000_000n, 'final'],
  ]) {
    await app.db.query(
      `INSERT INTO payment_transfers (rail, key, payment_id, asset, units, state, confirmations, needed, transaction,
         ledger_id, seen_at)
       VALUES ('simulated', $1, $2, $3, $4, $5, 1, 1, 'tx_' || $1, gen_random_uuid(), '2026-03-01')`,
      [key, paid, asset, units, state],
    );
  }
  // What the merchant sent from their own address went back too.
  await app.db.query(
    `INSERT INTO direct_refunds (id, payment_id, integration_id, mode, status, asset, units, from_overpayment,
       from_business, from_suspense, is_owed, answered_by, created_at)
     VALUES (gen_random_uuid(), $1, $2, 'test', 'completed', 'usdc-erc20', 500000, 0, 500000, 0, false, 'one', now())`,
    [paid, app.integrationId],
  );
  const rows: Record<string, string | null>[] = JSON.parse(await exported('json'));
  const moneyOf = (payment: string) => {
    const { received, refunded, asset, transaction } = rows.find(({ id }) => id === payment) ?? {};
    return { received, refunded, asset, transaction };
  };
  expect(moneyOf(paid)).toEqual({
    ...{ received: '3.7', refunded: '0.5', asset: 'usdc-bep20 usdc-erc20', transaction: 'tx_a tx_b' },
  });
  expect(moneyOf(unpaid)).toEqual({ received: '0', refunded: '0', asset: null, transaction: null });
});
