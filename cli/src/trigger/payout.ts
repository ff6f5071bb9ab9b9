import type { Client, Payout, PayoutInput } from '@florin/sdk';
import { readFields } from '../merchant/payment-input.ts';
import { testAddress } from './ways.ts';

const fields = ['asset', 'amount', 'to', 'memo', 'payout_reference', 'description'] as const;

/** Orders a test payout, of test money that the business is given for it. Fields that are not given have usual values. */
export async function orderTestPayout(money: Client, given: readonly string[]): Promise<Payout> {
  const said = Object.fromEntries(readFields(given, 'payout', fields));
  const { items } = await money.payouts.fees();
  const terms = items.find(({ asset }) =>
    said.asset === undefined ? asset.startsWith('usdc-') : asset === said.asset,
  );
  const { asset = 'usdc', fee = '0' } = terms ?? said;
  const order: PayoutInput = { amount: '25', to: testAddress, ...said, asset };
  await money.test.topUp({ asset, amount: order.amount });
  if (/[1-9]/.test(fee)) await money.test.topUp({ asset, amount: fee });
  return await money.payouts.create(order);
}
