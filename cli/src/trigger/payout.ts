import type { Client, Payout, PayoutInput } from '@florin/sdk';
import { readFields } from '../merchant/payment-input.ts';

const fields = ['asset', 'amount', 'to', 'memo', 'payout_reference', 'description'] as const;

/**
 * Orders a test payout to an address, of test money that the business gets for it. Fields that are not given have usual
 * values.
 */
export async function orderTestPayout(money: Client, to: string, given: readonly string[]): Promise<Payout> {
  const said = Object.fromEntries(readFields(given, 'payout', fields));
  const { items } = await money.payouts.fees();
  const terms = items.find(({ asset }) =>
    said.asset === undefined ? asset.startsWith('usdc-') : asset === said.asset,
  );
  const { asset = 'usdc', fee = '0' } = terms ?? said;
  const order: PayoutInput = { amount: '25', to, ...said, asset };
  await money.test.topUp({ asset, amount: order.amount });
  if (/[1-9]/.test(fee)) await money.test.topUp({ asset, amount: fee });
  return await money.payouts.create(order);
}
